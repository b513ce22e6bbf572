/*
 * Numbers as traders read them. Null is not known and shows as a dash; 0 is a number.
 */

export const dash = '–'

const subscripts = '₀₁₂₃₄₅₆₇₈₉'
/** From so many zeros behind the point on they are counted instead of written. */
const zerosMin = 3
const tinyDigits = 4

const subscriptOf = (count: number): string =>
  [...String(count)].map((digit) => subscripts[Number(digit)]).join('')

const formats = new Map<string, Intl.NumberFormat>()

/** A formatter is expensive to make and used hundreds of times. */
const formatOf = (minimumFractionDigits: number, maximumFractionDigits: number) => {
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits })
  formats.set(key, made)
  return made
}

/** 0.0000046118 -> 0.0₅4612: five zeros behind the point. */
const formatTiny = (value: number): string => {
  const [digits = '', exponent = '0'] = value.toExponential(tinyDigits - 1).split('e')
  const zeros = -Number(exponent) - 1
  return `0.0${subscriptOf(zeros)}${digits.replace('.', '').replace(/0+$/, '')}`
}

/** A price, positive, in whatever it is counted. */
export const formatPrice = (value: number | null): string => {
  if (value === null) return dash
  if (value < 0) return `−${formatPrice(-value)}`
  if (value === 0) return '0'
  if (Number(value.toPrecision(tinyDigits)) < 10 ** -zerosMin) return formatTiny(value)
  if (value < 1) return formatOf(2, 2 - Math.floor(Math.log10(value)) + 1).format(value)
  if (value >= 1e9) return formatCompact(value)
  if (value >= 1e6) return `${formatOf(2, 3).format(value / 1e6)}M`
  return formatOf(2, value < 10 ? 4 : 2).format(value)
}

export const formatUsdPrice = (value: number | null): string =>
  value === null ? dash : `$${formatPrice(value)}`

const steps = [
  [1e15, 'Q'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** 2032861 -> 2.03M */
export const formatCompact = (value: number | null): string => {
  if (value === null) return dash
  if (value < 0) return `−${formatCompact(-value)}`
  // A value that rounds up to 1,000 belongs to the next step.
  const step = steps.find(([size]) => value >= size * 0.9995)
  if (step === undefined) return value >= 1 ? formatOf(2, 2).format(value) : formatPrice(value)
  const [size, letter] = step
  const scaled = value / size
  if (scaled >= 1e6) return `${scaled.toExponential(2).replace('e+', '×10^')}${letter}`
  const places = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0
  return `${formatOf(places, places).format(scaled)}${letter}`
}

/** US dollars, without cents from $1,000 on. */
export const formatUsd = (value: number | null): string => {
  if (value === null) return dash
  if (value !== 0 && value < 0.01) return '<$0.01'
  return `$${value >= 999.5 ? formatCompact(value) : formatOf(2, 2).format(value)}`
}

export const formatInteger = (value: number | null): string =>
  value === null ? dash : formatOf(0, 0).format(value)

/** All digits of a number. */
export const formatExact = (value: number | null): string => {
  if (value === null) return 'not known'
  if (value !== 0 && Math.abs(value) < 1e-6) return value.toFixed(24).replace(/0+$/, '')
  return formatOf(0, 12).format(value)
}

const bpsPerPercent = 100

/** Basis points as a signed percentage: 7.23 -> +0.07%. */
export const formatBps = (bps: number | null): string => {
  if (bps === null) return dash
  const percent = Math.abs(bps) / bpsPerPercent
  const text = formatOf(percent < 10 ? 2 : 1, percent < 10 ? 2 : 1).format(percent)
  if (Number(text.replaceAll(',', '')) === 0) return '0.00%'
  return `${bps < 0 ? '−' : '+'}${text}%`
}

const lossBpsMin = 0.5

/** Basis points lost as a percentage: 7.23 -> 0.07%. */
export const formatLoss = (bps: number | null): string =>
  bps !== null && bps > 0 && bps < lossBpsMin ? '<0.01%' : formatBps(bps).replace('+', '')

const bipHundredthsPerPercent = 10_000

/** A part of one as a percentage: 0.934 -> 93.4%. */
export const formatPercent = (part: number | null): string =>
  part === null ? dash : `${formatOf(0, 1).format(part * 100)}%`

/** A part of one a year as a percentage: 0.412 -> 41.2% a year. */
export const formatYearly = (part: number | null): string =>
  part === null ? dash : `${formatPercent(part)} a year`

/** Hundredths of a bip as a percentage: 500 -> 0.05%. */
export const formatFee = (fee: number): string =>
  `${formatOf(0, 4).format(fee / bipHundredthsPerPercent)}%`
