import { formatInteger } from '../format/number.ts'
import { pageRows } from './pool-query.ts'
import type { Listing } from './use-pools.ts'

type PagerProps = {
  /** The page that is wanted: steps go on from it, whatever is shown by now. */
  readonly asked: number
  readonly shown: Listing
  readonly onPage: (page: number) => void
}

/** From where to where, of how many, as the table shows it; steps and jumps. */
export const Pager = ({ asked, shown, onPage }: PagerProps) => {
  const { total, items, offset } = shown.page
  const last = Math.max(1, Math.ceil(total / pageRows))
  const from = items.length === 0 ? 0 : offset + 1
  const to = items.length === 0 ? 0 : offset + items.length
  const step = (label: string, target: number, text: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={target < 1 || target > last || target === asked}
      onClick={() => onPage(target)}
    >
      {text}
    </button>
  )
  return (
    <nav class="pager" aria-label="Pages of the table">
      <span role="status">
        {formatInteger(from)}–{formatInteger(to)} of <b>{formatInteger(total)}</b>
      </span>
      {step('First page', 1, '«')}
      {step('Previous page', asked - 1, '‹ Previous')}
      <span class="mute">
        {formatInteger(shown.query.page)} / {formatInteger(last)}
      </span>
      {step('Next page', asked + 1, 'Next ›')}
      {step('Last page', last, '»')}
    </nav>
  )
}
