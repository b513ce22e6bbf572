/** Whether one value is what the interface says of its field. */
export type Check = (value: unknown) => boolean

/** A row's fields in their order, each with its check. */
export type Shape = Readonly<Record<string, Check>>

export const isBoolean: Check = (value) => typeof value === 'boolean'
export const isString: Check = (value) => typeof value === 'string'
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
export const isNotNegative: Check = (value) => isNumber(value) && (value as number) >= 0
export const isInteger: Check = (value) => Number.isSafeInteger(value)
export const isCount: Check = (value) => isInteger(value) && (value as number) >= 0
/** In seconds: milliseconds would be beyond the year 5000. */
export const isUnixSeconds: Check = (value) =>
  isInteger(value) && (value as number) > 1_500_000_000 && (value as number) < 100_000_000_000
export const isTick: Check = (value) => isInteger(value) && Math.abs(value as number) <= 887_272

export const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

export const isText =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

export const isAddress = isText(/^0x[0-9a-f]{40}$/)
export const isHash = isText(/^0x[0-9a-f]{64}$/)
export const isPoolId = isText(/^0x([0-9a-f]{40}|[0-9a-f]{64})$/)
/** Decimal text of an integer. */
export const isBigInteger = isText(/^(0|[1-9][0-9]*)$/)

export const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where a value departs from a shape; empty when it has exactly these fields, in this order. */
export const misfits = (shape: Shape, value: unknown, at: string): readonly string[] => {
  if (!isRecord(value)) return [`${at} is no object: ${JSON.stringify(value)}`]
  const [wanted, got] = [Object.keys(shape).join(), Object.keys(value).join()]
  if (wanted !== got) return [`${at} has the fields ${got} instead of ${wanted}`]
  return Object.entries(shape).flatMap(([name, check]) =>
    check(value[name]) ? [] : [`${at}.${name} is ${JSON.stringify(value[name])}`],
  )
}

export const misfitsOfRows = (
  shape: Shape,
  rows: readonly unknown[],
  at: string,
): readonly string[] => rows.flatMap((row, index) => misfits(shape, row, `${at}[${index}]`))

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** An object of exactly these fields, in this order. */
export const isOfShape =
  (shape: Shape): Check =>
  (value) =>
    misfits(shape, value, '').length === 0
