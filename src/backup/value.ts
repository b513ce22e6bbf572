import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BackupColumn, BackupRow, BackupValue, ColumnKind } from '../ports/store-backup.ts'

/** Converts one kind of value to JSON and back. */
type Form = {
  readonly toJson: (value: BackupValue) => unknown
  /** Null for a value of another kind. */
  readonly fromJson: (json: unknown) => BackupValue
}

const asItIs = (fits: (json: unknown) => boolean): Form => ({
  // JSON has no -0, which equals 0: it becomes 0 explicitly.
  toJson: (value) => (value === 0 ? 0 : value),
  fromJson: (json) => (fits(json) ? (json as BackupValue) : null),
})

const digits = /^(0|-?[1-9]\d*)$/
/** 2^256 has 78 digits. */
const digitsMax = 100
const hexBytes = /^0x([0-9a-f]{2})*$/

const forms: Readonly<Record<ColumnKind, Form>> = {
  integer: asItIs(Number.isSafeInteger),
  real: asItIs(Number.isFinite),
  flag: asItIs((json) => typeof json === 'boolean'),
  text: asItIs((json) => typeof json === 'string'),
  bytes: asItIs((json) => typeof json === 'string' && hexBytes.test(json)),
  // Decimal text: many JSON parsers keep only 53 bits of a number.
  bigint: {
    toJson: String,
    fromJson: (json) =>
      typeof json === 'string' && json.length <= digitsMax && digits.test(json)
        ? BigInt(json)
        : null,
  },
}

export const rowToJson = (columns: readonly BackupColumn[], row: BackupRow): readonly unknown[] =>
  columns.map(({ kind }, at) => {
    const value = row[at] ?? null
    return value === null ? null : forms[kind].toJson(value)
  })

const readValue = (column: BackupColumn, json: unknown): Outcome<BackupValue, string> => {
  if (json === null && column.nullable) return success(null)
  const value = forms[column.kind].fromJson(json)
  if (value === null) return failure(`${column.name} must be ${column.kind}`)
  return column.only === null || column.only.includes(value)
    ? success(value)
    : failure(`${column.name} must be one of ${column.only.join(', ')}`)
}

/** The fault completes a sentence that starts with the row's position. */
export const rowFromJson = (
  columns: readonly BackupColumn[],
  json: unknown,
): Outcome<BackupRow, string> => {
  if (!Array.isArray(json)) return failure('is not a row')
  if (json.length !== columns.length) return failure(`must have ${columns.length} values`)
  const row: BackupValue[] = []
  for (let at = 0; at < columns.length; at++) {
    const value = readValue(columns[at] as BackupColumn, json[at])
    if (!value.ok) return value
    row.push(value.value)
  }
  return success(row)
}
