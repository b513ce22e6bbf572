import { isApiError } from '../../src/client/api-error.ts'
import { type Draft, isPaid, sides, type Unit } from './order.ts'

const sideWords = { buy: 'Buy', sell: 'Sell' } as const

type FormProps = {
  readonly draft: Draft
  readonly stockSymbol: string
  /** Null if amounts of the other token cannot be given. */
  readonly otherSymbol: string | null
  /** Of the last answer. */
  readonly error: unknown
  readonly onChange: (part: Partial<Draft>) => void
  readonly onSettle: () => void
}

/** Keeps the direction of a name from changing that of its surroundings. */
const isolated = (name: string): string => `\u2068${name}\u2069`

/** True if the service refuses the amount itself. */
export const isOfAmount = (error: unknown): boolean =>
  isApiError(error) && error.status === 400 && /usd|amount/i.test(error.param ?? '')

const amountError = (error: unknown): string =>
  isApiError(error) && isOfAmount(error)
    ? error.message.replace(error.param ?? '', 'The amount')
    : ''

/** A radio group, so that arrow keys change the side. */
const Sides = ({ draft, stockSymbol, onChange }: Omit<FormProps, 'error' | 'onSettle'>) => (
  <fieldset class="ranges">
    <legend class="hidden">Side</legend>
    {sides.map((side) => (
      <label key={side} class={side === draft.side ? `chosen ${side}` : ''}>
        <input
          type="radio"
          name="side"
          value={side}
          checked={side === draft.side}
          onChange={() => onChange({ side })}
        />
        {sideWords[side]} {stockSymbol}
      </label>
    ))}
  </fieldset>
)

const unitsOf = ({ stockSymbol, otherSymbol }: Pick<FormProps, 'stockSymbol' | 'otherSymbol'>) => {
  const units: [Unit, string][] = [
    ['usd', 'USD'],
    ['stock', stockSymbol],
  ]
  if (otherSymbol !== null) units.push(['other', otherSymbol])
  return units
}

/** Side, amount and its unit. Enter asks at once. */
export const OrderForm = (props: FormProps) => {
  const { draft, error, onChange, onSettle } = props
  const refusal = amountError(error)
  const submit = (event: Event) => {
    event.preventDefault()
    onSettle()
  }
  return (
    <form class="order" onSubmit={submit} noValidate>
      <Sides {...props} />
      <label for="order-amount">Amount you {isPaid(draft) ? 'pay' : 'receive'}</label>
      <div class="order-line">
        <input
          id="order-amount"
          class="order-amount"
          inputMode="decimal"
          autocomplete="off"
          enterKeyHint="done"
          maxLength={80}
          placeholder={draft.unit === 'usd' ? '10,000' : '1.5'}
          aria-describedby="order-error"
          aria-invalid={refusal !== ''}
          value={draft.text}
          onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
        <select
          aria-label="Unit of the amount"
          value={draft.unit}
          onChange={({ currentTarget }) => onChange({ unit: currentTarget.value as Unit })}
        >
          {unitsOf(props).map(([unit, name]) => (
            <option key={unit} value={unit}>
              {isolated(name)}
            </option>
          ))}
        </select>
      </div>
      <p class="order-error bad" id="order-error" role="alert">
        {refusal}
      </p>
    </form>
  )
}
