import { formatInteger } from '../format/number.ts'
import { pageRows } from './pool-query.ts'

type PagerProps = {
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** From where to where, of how many; steps and jumps. */
export const Pager = ({ page, total, onPage }: PagerProps) => {
  const last = Math.max(1, Math.ceil(total / pageRows))
  const from = total === 0 ? 0 : (page - 1) * pageRows + 1
  const to = Math.min(total, page * pageRows)
  const step = (label: string, target: number, text: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={target < 1 || target > last || target === page}
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
      {step('Previous page', page - 1, '‹ Previous')}
      <span class="mute">
        {formatInteger(page)} / {formatInteger(last)}
      </span>
      {step('Next page', page + 1, 'Next ›')}
      {step('Last page', last, '»')}
    </nav>
  )
}
