/** A range as it is typed: prices in other tokens per stock token, and dollars. */
export type RangeDraft = { readonly lower: string; readonly upper: string; readonly usd: string }

export type RangeRequest = { readonly lower: string; readonly upper: string; readonly usd: number }

/** Ten per cent to either side, and a round sum. */
const width = 0.1
const usdDefault = '1000'
const significantDigits = 4
const digitsMax = 36

/** In decimal digits, as the service reads prices: never 1e-7. */
const decimal = (value: number): string => {
  const rounded = Number(value.toPrecision(significantDigits))
  const text = rounded.toFixed(
    Math.min(digitsMax, Math.max(0, -Math.floor(Math.log10(rounded)) + 3)),
  )
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

export const draftAround = (price: number): RangeDraft => ({
  lower: decimal(price * (1 - width)),
  upper: decimal(price * (1 + width)),
  usd: usdDefault,
})

const plain = /^[0-9]{1,30}(\.[0-9]{1,36})?$/

/** A typed number without separators; null if it is none above 0. */
const parse = (text: string): string | null => {
  const digits = text.trim().replaceAll(',', '')
  return plain.test(digits) && Number(digits) > 0 ? digits : null
}

/** What is wrong with a draft, for the reader; null if it can be asked. */
export const draftFault = ({ lower, upper, usd }: RangeDraft): string | null => {
  const [low, high, sum] = [lower, upper, usd].map(parse)
  if (low === null || low === undefined) return 'The lower price must be a number above 0.'
  if (high === null || high === undefined) return 'The upper price must be a number above 0.'
  if (Number(low) >= Number(high)) return 'The lower price must be below the upper one.'
  return sum === null ? 'The dollars must be a number above 0.' : null
}

export const toRangeRequest = (draft: RangeDraft): RangeRequest | null => {
  if (draftFault(draft) !== null) return null
  const { lower, upper, usd } = draft
  return { lower: parse(lower) ?? '', upper: parse(upper) ?? '', usd: Number(parse(usd)) }
}
