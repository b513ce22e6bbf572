import type { FieldProvenance, NullReason, ProvenanceInput } from '../views/provenance.ts'
import { publishedFormulas, stepFormulas } from './formulas.ts'

/** An input with why its value is null; a list has no value and no reason. */
export type LedgerInput = ProvenanceInput & { readonly reason: NullReason | null }

type Published = typeof publishedFormulas
type Steps = typeof stepFormulas
type FieldName = keyof Published | keyof Steps
type CaseOf<Field extends FieldName> = keyof (Published & Steps)[Field]['formulas']

type Made = {
  readonly value: number | string | null
  readonly inputs: readonly LedgerInput[]
  /** Why the value is null although no input is. */
  readonly reason?: NullReason | null
}

/** The numbers of one pool, each recorded before those that are made from it. */
export type Ledger = {
  readonly record: <Field extends FieldName>(
    field: Field,
    formula: CaseOf<Field> & string,
    made: Made,
  ) => void
  /** A recorded number as the input of another one. */
  readonly use: (field: FieldName) => LedgerInput
  readonly entries: () => readonly FieldProvenance[]
}

const formulaTextOf = (formulas: Readonly<Record<string, string>>, name: string): string =>
  formulas[name] ?? ''

const withoutReason = ({ name, value, unit, source }: LedgerInput): ProvenanceInput => ({
  name,
  value,
  unit,
  source,
})

export const createLedger = (): Ledger => {
  const entries = new Map<FieldName, FieldProvenance>()
  const all = { ...publishedFormulas, ...stepFormulas }

  return {
    record: (field, formula, { value, inputs, reason = null }) => {
      const { section, unit, formulas } = all[field]
      const unknown = inputs.filter((input) => input.value === null && input.reason !== null)
      entries.set(field, {
        field,
        published: Object.hasOwn(publishedFormulas, field),
        value,
        unit,
        section,
        formula: formulaTextOf(formulas, formula),
        inputs: inputs.map(withoutReason),
        reason: value === null ? (reason ?? unknown[0]?.reason ?? 'not_finite') : null,
        missing: value === null ? unknown.map(({ name }) => name) : [],
      })
    },
    use: (field) => {
      const entry = entries.get(field)
      if (entry === undefined) throw new Error(`${field} is used before it is recorded`)
      const { value, unit, reason } = entry
      return { name: field, value, unit, source: { kind: 'field', field }, reason }
    },
    entries: () => [...entries.values()],
  }
}
