import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useQuestion } from '../live/use-question.ts'
import { type Origin, OriginLine } from '../parts/origin.tsx'
import type { Draft } from './order.ts'
import { OrderForm } from './order-form.tsx'
import { QuoteFigureList, type QuoteFigures } from './quote-figures.tsx'
import { faultWords, QuoteNotes, spokenOf } from './quote-notes.tsx'
import { useDraft } from './use-draft.ts'

type AnswerWords = {
  /** Null if there is no quote. */
  readonly figures: QuoteFigures | null
  /** Reasons and assumptions in words. */
  readonly notes: readonly string[]
}

type BoxProps<Order, Answer extends Origin> = {
  readonly stockSymbol: string
  /** Null if amounts of the other token cannot be given. */
  readonly otherSymbol: string | null
  /** Identifies the state that an answer follows from. */
  readonly version: string
  readonly toOrder: (draft: Draft) => Order | null
  readonly ask: (order: Order, signal: AbortSignal) => Promise<Answer>
  readonly read: (answer: Answer) => AnswerWords
  /** More of an answer, below; it keeps its place while there is none. */
  readonly below?: (answer: Answer | null) => ComponentChildren
}

const keyOf = (order: unknown): string | null => (order === null ? null : JSON.stringify(order))

/** Asks for the typed order when the hand rests, and again when the state has changed. */
const useQuote = <Order, Answer extends Origin>(props: BoxProps<Order, Answer>) => {
  const { toOrder, ask, version } = props
  const { draft, settled, change, settle } = useDraft()
  const order = toOrder(settled)
  const key = keyOf(order)
  const { value, error, waiting } = useQuestion<Answer | null>({
    key,
    version,
    ask: async (signal) => (order === null ? null : ask(order, signal)),
  })
  const typedKey = keyOf(toOrder(draft))
  const isTyping = typedKey !== null && typedKey !== key
  return { draft, change, settle, value, error, waiting: waiting || isTyping }
}

/** A form for an order, and what it would get. */
export const QuoteBox = <Order, Answer extends Origin>(props: BoxProps<Order, Answer>) => {
  const { draft, change, settle, value, error, waiting } = useQuote(props)
  const { figures, notes } = value === null ? { figures: null, notes: [] } : props.read(value)
  const fault = faultWords(error)
  // A new block does not interrupt a screen reader.
  const spoken = useMemo(
    () => (figures === null || waiting ? '' : spokenOf(figures)),
    [draft, waiting, figures === null],
  )
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
          <QuoteFigureList figures={figures} ts={value?.stateTs ?? null} />
        </div>
        <QuoteNotes notes={fault === null ? notes : [fault, ...notes]} spoken={spoken} />
      </div>
      {props.below?.(value)}
    </section>
  )
}
