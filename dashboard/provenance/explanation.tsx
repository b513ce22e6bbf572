import type { Provenance } from '../../src/client/types.ts'
import { formatTs } from '../format/time.ts'
import type { Explain } from '../live/explain.ts'
import { nullWords } from '../words/number-words.ts'
import { type Input, SourceLine } from './source-line.tsx'

type Entry = Provenance['fields'][number]

const secondsUnit = 'Unix seconds'
/** Of a condition of the formula. */
const conditionUnit = '1 or 0'
/** Inputs that are lists (docs/methodology.md §12). */
const listNames: ReadonlySet<string> = new Set(['ticks', 'swaps1h', 'swaps24h'])

const unitWordsOf = ({ value, unit }: Pick<Input, 'value' | 'unit'>): string => {
  if (unit === conditionUnit) return value === 1 ? '(yes)' : '(no)'
  if (unit === secondsUnit && typeof value === 'number') return `${unit} (${formatTs(value)})`
  return unit
}

/** A value with all its digits. */
const Exact = ({ value, unit }: Pick<Input, 'value' | 'unit'>) => (
  <>
    <b class="exact">{value === null ? 'not known' : String(value)}</b>{' '}
    {value === null ? null : <span class="mute">{unitWordsOf({ value, unit })}</span>}
  </>
)

/** The value; or why there is none, and what is missing. */
const Value = ({ entry }: { readonly entry: Entry }) => (
  <div class="made">
    <p class="made-value">
      <Exact {...entry} />
    </p>
    {entry.reason === null ? null : <p>{nullWords[entry.reason]}</p>}
    {entry.missing.length === 0 ? null : (
      <p>
        Missing: <code>{entry.missing.join(', ')}</code>
      </p>
    )}
  </div>
)

type Props = {
  readonly answer: Provenance
  readonly entry: Entry
  readonly onField: Explain
}

const InputLine = ({ input, answer, entry, onField }: Props & { readonly input: Input }) => {
  const { name, value, unit } = input
  const isList = listNames.has(name) && !entry.missing.includes(name)
  const count = name === 'ticks' ? (answer.ticks?.length ?? null) : null
  return (
    <li>
      <p>
        <code>{name}</code> ={' '}
        {isList ? (
          <span class="mute">{count === null ? 'a list' : `a list of ${count}`}</span>
        ) : (
          <Exact value={value} unit={unit} />
        )}
      </p>
      <p class="small">
        <SourceLine input={input} onField={onField} />
      </p>
    </li>
  )
}

/** Value, formula and inputs of one number. */
export const Explanation = (props: Props) => {
  const { entry } = props
  return (
    <>
      <Value entry={entry} />
      <h3>Formula</h3>
      <p class="formula">
        <code>
          {entry.field} = {entry.formula}
        </code>
      </p>
      <h3>Inputs</h3>
      <ul class="inputs">
        {entry.inputs.map((input) => (
          <InputLine key={input.name} {...props} input={input} />
        ))}
      </ul>
    </>
  )
}
