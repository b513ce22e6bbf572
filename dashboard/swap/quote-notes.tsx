import { isApiError } from '../../src/client/api-error.ts'
import { formatLoss, formatPrice, formatUsdPrice } from '../format/number.ts'
import { retryAfterMs } from '../live/use-question.ts'
import { isOfAmount } from './order-form.tsx'
import type { QuoteFigures } from './quote-figures.tsx'

/** What stopped the question, other than its amount; null without a fault. */
export const faultWords = (error: unknown): string | null => {
  if (error === null || isOfAmount(error)) return null
  if (!isApiError(error)) return 'The service cannot be reached. Asking again …'
  const seconds = Math.ceil((retryAfterMs(error) ?? 0) / 1000)
  if (error.status === 429) {
    return `Too many requests from your address. Asking again in ${seconds} s.`
  }
  return error.message
}

/** An answer in one sentence, for those who do not see it. */
export const spokenOf = ({ pays, receives, priceUsd, costBps }: QuoteFigures): string =>
  `You pay ${formatPrice(pays.amount)} ${pays.symbol} and receive ` +
  `${formatPrice(receives.amount)} ${receives.symbol}, at ${formatUsdPrice(priceUsd)}, ` +
  `total cost ${formatLoss(costBps)}.`

type NotesProps = {
  /** Reasons, assumptions and faults in words; each is a warning. */
  readonly notes: readonly string[]
  readonly spoken: string
}

/** Keeps its place while it is empty. */
export const QuoteNotes = ({ notes, spoken }: NotesProps) => (
  <div class="quote-notes">
    <ul class="reasons" role="status">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
    <p class="small">
      Exact at the block of the answer. Nothing is sent to the chain; gas and the trades of others
      before yours are not part of it.
    </p>
    <p class="hidden" role="status">
      {spoken}
    </p>
  </div>
)
