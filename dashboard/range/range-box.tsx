import { useEffect, useState } from 'preact/hooks'
import { isApiError } from '../../src/client/api-error.ts'
import type { Pool, PoolRanges } from '../../src/client/types.ts'
import {
  dash,
  formatBps,
  formatPercent,
  formatPrice,
  formatUsd,
  formatYearly,
} from '../format/number.ts'
import { apiWithoutRetries } from '../live/api.ts'
import { useQuestion } from '../live/use-question.ts'
import { useSeen } from '../live/use-seen.ts'
import { OriginLine } from '../parts/origin.tsx'
import { rangeReasonWords } from '../words/range-words.ts'
import { draftAround, draftFault, type RangeDraft, toRangeRequest } from './range-draft.ts'

/** Debounce time of typing. */
const typingMs = 350

type Window = PoolRanges['day']

const rows: readonly (readonly [name: string, text: (window: Window) => string])[] = [
  ['Fees', ({ feesUsd }) => formatUsd(feesUsd)],
  ['Rate of a year', ({ feeApr }) => formatYearly(feeApr)],
  ['Time in range', ({ inRangeShare }) => formatPercent(inRangeShare)],
  ['Against holding', ({ versusHoldingBps }) => formatBps(versusHoldingBps)],
  ['Fees less that loss', ({ netUsd }) => formatUsd(netUsd)],
]

const Results = ({ answer }: { readonly answer: PoolRanges | null }) => (
  <table class="range-results">
    <caption class="hidden">What the range would have earned</caption>
    <thead>
      <tr>
        <td />
        <th scope="col">24 h</th>
        <th scope="col">7 d</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, text]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{answer === null ? dash : text(answer.day)}</td>
          <td>{answer === null ? dash : text(answer.week)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

type FieldProps = {
  readonly name: keyof RangeDraft
  readonly text: string
  readonly draft: RangeDraft
  readonly onChange: (part: Partial<RangeDraft>) => void
}

const Field = ({ name, text, draft, onChange }: FieldProps) => (
  <label class="range-field">
    <span>{text}</span>
    <input
      class="order-amount"
      inputMode="decimal"
      autocomplete="off"
      maxLength={70}
      aria-describedby="range-notes"
      value={draft[name]}
      onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  </label>
)

/** What stopped the question; null without a fault. */
const faultOf = (error: unknown): string | null => {
  if (error === null) return null
  return isApiError(error) ? error.message : 'The service cannot be reached. Asking again …'
}

const notesOf = (answer: PoolRanges | null, fault: string | null): readonly string[] => {
  if (fault !== null) return [fault]
  if (answer === null) return []
  const reasons = new Set([...answer.day.reasons, ...answer.week.reasons])
  return [...reasons].map((reason) => rangeReasonWords[reason])
}

const boundsOf = ({ range }: PoolRanges): string =>
  range === null
    ? ''
    : `At ticks of the pool: ${formatPrice(range.priceLower)} to ${formatPrice(range.priceUpper)}.`

/** The draft once the hand rests. */
const useSettled = (draft: RangeDraft): RangeDraft => {
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), typingMs)
    return () => clearTimeout(timer)
  }, [draft])
  return settled
}

const Asked = ({ pool, price }: { readonly pool: Pool; readonly price: number }) => {
  const [draft, setDraft] = useState(() => draftAround(price))
  const request = toRangeRequest(useSettled(draft))
  const change = (part: Partial<RangeDraft>) => setDraft((before) => ({ ...before, ...part }))
  const { value, error, waiting } = useQuestion<PoolRanges | null>({
    key: request === null ? null : JSON.stringify([pool.id, request]),
    // The past changes little: a new block asks nothing.
    version: '',
    ask: async (signal) => request && apiWithoutRetries.poolRanges(pool.id, request, { signal }),
  })
  const notes = notesOf(value, draftFault(draft) ?? faultOf(error))
  const unit = pool.otherSymbol ?? 'other token'
  const field = { draft, onChange: change }
  return (
    <>
      <div class="chart-head">
        <h2>What would a range have earned</h2>
        <OriginLine answer={value} />
      </div>
      <div class="range-parts">
        <div class="range-form">
          <Field {...field} name="lower" text={`From, ${unit} per ${pool.stockSymbol}`} />
          <Field {...field} name="upper" text={`To, ${unit} per ${pool.stockSymbol}`} />
          <Field {...field} name="usd" text="Dollars" />
        </div>
        <div class="quote-answer" aria-busy={waiting}>
          <Results answer={value} />
        </div>
        <p class="small range-notes" id="range-notes" role="status">
          {value === null || notes.length > 0 ? notes.join(' ') : boundsOf(value)}
        </p>
      </div>
    </>
  )
}

/** What liquidity between two prices would have earned. Asks nothing until it comes into sight. */
export const RangeBox = ({ pool }: { readonly pool: Pool }) => {
  const { element, seen } = useSeen()
  const price = pool.stockPriceInOther
  if (price === null) return null
  return (
    <section class="panel range-box" ref={element}>
      {seen ? <Asked pool={pool} price={price} /> : null}
    </section>
  )
}
