import { failure, type Outcome, success } from '../outcome.ts'
import { buildTickMap } from '../pool/tick-map.ts'
import type { FieldProvenance, PoolProvenanceView, TickView } from '../views/provenance.ts'
import { evaluate } from './evaluate.ts'
import { formulasOf, publishedFields } from './formulas.ts'
import type { FormulaValue } from './functions.ts'

/** Lists that are fetched apart: millionths of a dollar per swap, null without a price. */
export type SwapLists = Readonly<Record<string, readonly (bigint | null)[]>>

/** The published and the recomputed value of one number, or why there is no second one. */
export type Recomputed = {
  readonly field: string
  readonly value: number | string | null
} & (
  | { readonly kind: 'computed'; readonly computed: number | string | null }
  /** The answer cannot be right. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** A list was not fetched. */
  | { readonly kind: 'unchecked'; readonly detail: string }
)

const integerPattern = /^-?(?:0|[1-9]\d{0,99})$/

const integerOf = (text: string): bigint | null => (integerPattern.test(text) ? BigInt(text) : null)

/** The tick map of an answer; null if it has none, or what it has is no map. */
const tickMapOf = (ticks: readonly TickView[] | null): FormulaValue => {
  if (ticks === null) return null
  const rows = ticks.map(({ tick, liquidityNet, liquidityGross }) => ({
    tick,
    net: integerOf(liquidityNet) ?? 0n,
    gross: integerOf(liquidityGross) ?? 0n,
  }))
  const map = buildTickMap(rows)
  return map.known ? { kind: 'ticks', map: map.value } : null
}

type Context = {
  readonly fields: ReadonlyMap<string, FieldProvenance>
  readonly lists: ReadonlyMap<string, FormulaValue>
}

/** Names of inputs that are lists. */
const listNames: readonly string[] = ['ticks', 'swaps1h', 'swaps24h']

const isSameText = (one: number | string | null, other: number | string | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

type Input = FieldProvenance['inputs'][number]

/** An input that names a field must have its value. */
const inputFault = ({ name, value, source }: Input, { fields }: Context): string | null => {
  if (typeof value === 'string' && integerOf(value) === null) return `${name} is no integer`
  if (source.kind !== 'field') return null
  const origin = fields.get(source.field)
  if (origin === undefined) return `there is no field ${source.field}`
  return isSameText(origin.value, value) ? null : `${name} is not the value of ${source.field}`
}

const toValue = ({ name, value }: Input, { lists }: Context): FormulaValue => {
  if (value === null) return lists.get(name) ?? null
  return typeof value === 'string' ? integerOf(value) : value
}

const formulaFault = ({ field, formula, section }: FieldProvenance): string | null => {
  const known = formulasOf(field)
  if (known === null) return 'the methodology has no such number'
  const isKnown = known.section === section && Object.values(known.formulas).includes(formula)
  return isKnown ? null : 'the methodology has another formula'
}

/** JSON has integers beyond numbers as text. */
const compute = (
  entry: FieldProvenance,
  context: Context,
): Outcome<number | string | null, string> => {
  const fault =
    formulaFault(entry) ??
    entry.inputs.map((input) => inputFault(input, context)).find((each) => each !== null)
  if (fault) return failure(fault)
  const values = new Map(entry.inputs.map((input) => [input.name, toValue(input, context)]))
  const result = evaluate(entry.formula, values)
  if (!result.ok) return result
  return success(typeof result.value === 'bigint' ? String(result.value) : result.value)
}

/** A list that the formula needs and the caller does not have; what the pool lacks is none. */
const lackingList = ({ inputs, missing }: FieldProvenance, { lists }: Context): string | null =>
  inputs.find(({ name }) => listNames.includes(name) && !missing.includes(name) && !lists.has(name))
    ?.name ?? null

const recomputeField = (entry: FieldProvenance, context: Context): Recomputed => {
  const { field, value } = entry
  const list = lackingList(entry, context)
  if (list !== null) return { field, value, kind: 'unchecked', detail: `without the list ${list}` }
  const result = compute(entry, context)
  return result.ok
    ? { field, value, kind: 'computed', computed: result.value }
    : { field, value, kind: 'refused', detail: result.fault }
}

/**
 * Recomputes every number of an answer by its formula and inputs. A number that the answer lacks,
 * or whose formula is not the methodology's, is refused.
 */
export const recomputePool = (
  { fields, ticks }: Pick<PoolProvenanceView, 'fields' | 'ticks'>,
  swaps: SwapLists,
): readonly Recomputed[] => {
  const context: Context = {
    fields: new Map(fields.map((entry) => [entry.field, entry])),
    lists: new Map<string, FormulaValue>([
      ...(ticks === null ? [] : [['ticks', tickMapOf(ticks)] as const]),
      ...Object.entries(swaps).map(
        ([name, amounts]) => [name, { kind: 'amounts', amounts }] as const,
      ),
    ]),
  }
  const absent = publishedFields.filter((field) => !context.fields.has(field))
  return [
    ...fields.map((entry) => recomputeField(entry, context)),
    ...absent.map(
      (field): Recomputed => ({
        field,
        value: null,
        kind: 'refused',
        detail: 'the answer lacks it',
      }),
    ),
  ]
}
