import { formatInteger } from '../format/number.ts'
import { pageRows } from './pool-query.ts'
import type { Listing } from './use-pools.ts'

type PagerProps = {
  /** The requested page, from which the steps count, whatever is shown. */
  readonly requested: number
  readonly shown: Listing
  readonly onPage: (page: number) => void
}

/** Shown range, total, and buttons for other pages. */
export const Pager = ({ requested, shown, onPage }: PagerProps) => {
  const { total, items, offset } = shown.page
  const last = Math.max(1, Math.ceil(total / pageRows))
  const from = items.length === 0 ? 0 : offset + 1
  const to = items.length === 0 ? 0 : offset + items.length
  const step = (label: string, target: number, text: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={target < 1 || target > last || target === requested}
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
      {step('Previous page', requested - 1, '‹ Previous')}
      <span class="mute">
        {formatInteger(shown.query.page)} / {formatInteger(last)}
      </span>
      {step('Next page', requested + 1, 'Next ›')}
      {step('Last page', last, '»')}
    </nav>
  )
}
