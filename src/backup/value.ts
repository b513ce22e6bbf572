import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { ColumnKind, ExportColumn, ExportRow, ExportValue } from '../ports/store-export.ts'

/** How one kind of value stands in the file's JSON. */
type Form = {
  readonly toJson: (value: ExportValue) => unknown
  /** Null where it is not one of the kind. */
  readonly fromJson: (json: unknown) => ExportValue
}

const asItIs = (fits: (json: unknown) => boolean): Form => ({
  // JSON has no -0, which compares as equal: the one number that it would change unseen.
  toJson: (value) => (value === 0 ? 0 : value),
  fromJson: (json) => (fits(json) ? (json as ExportValue) : null),
})

const digits = /^(0|-?[1-9]\d*)$/
/** More than any integer of a chain has: 2^256 has 78. */
const digitsMax = 100
const wholeBytes = /^0x([0-9a-f]{2})*$/

const forms: Readonly<Record<ColumnKind, Form>> = {
  integer: asItIs(Number.isSafeInteger),
  real: asItIs(Number.isFinite),
  flag: asItIs((json) => typeof json === 'boolean'),
  text: asItIs((json) => typeof json === 'string'),
  bytes: asItIs((json) => typeof json === 'string' && wholeBytes.test(json)),
  // As decimal digits, because many a reader of JSON keeps 53 bits of a number only.
  bigint: {
    toJson: String,
    fromJson: (json) =>
      typeof json === 'string' && json.length <= digitsMax && digits.test(json)
        ? BigInt(json)
        : null,
  },
}

export const rowToJson = (columns: readonly ExportColumn[], row: ExportRow): readonly unknown[] =>
  columns.map(({ kind }, at) => {
    const value = row[at] ?? null
    return value === null ? null : forms[kind].toJson(value)
  })

const readValue = (column: ExportColumn, json: unknown): Outcome<ExportValue, string> => {
  if (json === null && column.nullable) return success(null)
  const value = forms[column.kind].fromJson(json)
  if (value === null) return failure(`${column.name} must be ${column.kind}`)
  return column.only === null || column.only.includes(value)
    ? success(value)
    : failure(`${column.name} must be one of ${column.only.join(', ')}`)
}

/** The fault says what is wrong with the row, to go after its name. */
export const rowFromJson = (
  columns: readonly ExportColumn[],
  json: unknown,
): Outcome<ExportRow, string> => {
  if (!Array.isArray(json)) return failure('is no row')
  if (json.length !== columns.length) return failure(`must have ${columns.length} values`)
  const row: ExportValue[] = []
  for (let at = 0; at < columns.length; at++) {
    const value = readValue(columns[at] as ExportColumn, json[at])
    if (!value.ok) return value
    row.push(value.value)
  }
  return success(row)
}
