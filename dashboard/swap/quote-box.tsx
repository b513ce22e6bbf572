import { useMemo } from 'preact/hooks'
import { type Origin, OriginLine } from '../parts/origin.tsx'
import { type Order, toOrder } from './order.ts'
import { OrderForm } from './order-form.tsx'
import { QuoteFigureList, type QuoteFigures } from './quote-figures.tsx'
import { faultWords, QuoteNotes } from './quote-notes.tsx'
import { useDraft } from './use-draft.ts'
import { useQuestion } from './use-question.ts'

type AnswerWords = {
  /** Null if there is no quote. */
  readonly figures: QuoteFigures | null
  /** Reasons and assumptions in words. */
  readonly notes: readonly string[]
  /** The answer in one sentence. */
  readonly spoken: string
}

type BoxProps<T extends Origin> = {
  readonly stockSymbol: string
  readonly otherSymbol: string | null
  /** Identifies the state that an answer follows from. */
  readonly version: string
  readonly ask: (order: Order, signal: AbortSignal) => Promise<T>
  readonly read: (answer: T) => AnswerWords
}

const keyOf = (order: Order | null): string | null =>
  order === null ? null : JSON.stringify(order)

/** Asks for the typed order when the hand rests, and again when the state has changed. */
const useQuote = <T extends Origin>({ ask, version }: BoxProps<T>) => {
  const { draft, settled, change, settle } = useDraft()
  const order = toOrder(settled)
  const key = keyOf(order)
  const { value, error, waiting } = useQuestion<T | null>({
    key,
    version,
    ask: async (signal) => (order === null ? null : ask(order, signal)),
  })
  const typedKey = keyOf(toOrder(draft))
  const isTyping = typedKey !== null && typedKey !== key
  return { draft, change, settle, value, error, waiting: waiting || isTyping }
}

/** A form for an order, and what it would get. */
export const QuoteBox = <T extends Origin>(props: BoxProps<T>) => {
  const { draft, change, settle, value, error, waiting } = useQuote(props)
  const read = value === null ? null : props.read(value)
  const fault = faultWords(error)
  // A new block does not interrupt a screen reader.
  const spoken = useMemo(() => read?.spoken ?? '', [draft, waiting, read === null])
  return (
    <section class="panel quote-box">
      <div class="chart-head">
        <h2>What would I get</h2>
        <OriginLine answer={value} />
      </div>
      <div class="quote-parts">
        <OrderForm
          {...props}
          draft={draft}
          error={waiting ? null : error}
          onChange={change}
          onSettle={settle}
        />
        <div class="quote-answer" aria-busy={waiting}>
          <QuoteFigureList figures={read?.figures ?? null} ts={value?.stateTs ?? null} />
        </div>
        <QuoteNotes
          notes={[...(fault === null ? [] : [fault]), ...(read?.notes ?? [])]}
          spoken={waiting ? '' : spoken}
        />
      </div>
    </section>
  )
}
