import type { Depth } from '../../src/client/types.ts'

/*
 * The liquidity of a pool over its price. Amounts between two prices follow from those of their
 * segment: other tokens grow with √p, stock tokens with 1/√p (Uniswap v3 whitepaper, 6.2.1).
 */

export type Segment = NonNullable<Depth['depth']>['segments'][number]

/** A range of prices, in other tokens per stock token. */
export type Span = { readonly from: number; readonly to: number }

/** What a segment holds on one side of the price: stock above it, other tokens below. */
export type Area = Span & {
  readonly side: 'stock' | 'other'
  /** Number of the segment. */
  readonly at: number
  /** Dollars over the difference of the square roots of two prices, or of their inverses. */
  readonly usdPerRoot: number
}

export type Prices = {
  /** Other tokens per stock token. */
  readonly mid: number
  readonly stockUsd: number
  readonly otherUsd: number
}

const rootOf = (side: Area['side'], price: number): number =>
  side === 'other' ? Math.sqrt(price) : -1 / Math.sqrt(price)

const areaOf = (side: Area['side'], at: number, span: Span, usd: number): readonly Area[] => {
  const roots = rootOf(side, span.to) - rootOf(side, span.from)
  return roots > 0 && usd > 0 ? [{ ...span, side, at, usdPerRoot: usd / roots }] : []
}

/** The areas of all segments, by ascending price. */
export const listAreas = (segments: readonly Segment[], prices: Prices): readonly Area[] => {
  const { mid, stockUsd, otherUsd } = prices
  return segments.flatMap(({ priceLower, priceUpper, stockAmount, otherAmount }, at) => {
    const below = { from: priceLower, to: Math.min(priceUpper, mid) }
    const above = { from: Math.max(priceLower, mid), to: priceUpper }
    return [
      ...areaOf('other', at, below, otherAmount * otherUsd),
      ...areaOf('stock', at, above, stockAmount * stockUsd),
    ]
  })
}

const onePercent = Math.log(1.01)

/** Dollars that a move of one percent meets at this price. */
export const usdPerPercent = ({ side, usdPerRoot }: Area, price: number): number => {
  const root = Math.sqrt(price)
  return (usdPerRoot * onePercent * (side === 'other' ? root : 1 / root)) / 2
}

const overlap = (one: Span, other: Span): Span | null => {
  const from = Math.max(one.from, other.from)
  const to = Math.min(one.to, other.to)
  return from < to ? { from, to } : null
}

/** The parts of areas inside a span. */
export const clipTo = (areas: readonly Area[], span: Span): readonly Area[] =>
  areas.flatMap((area) => {
    const part = overlap(area, span)
    return part === null ? [] : [{ ...area, ...part }]
  })

const usdOf = ({ side, from, to, usdPerRoot }: Area): number =>
  usdPerRoot * (rootOf(side, to) - rootOf(side, from))

const usdWithin = (areas: readonly Area[], span: Span): number =>
  clipTo(areas, span).reduce((sum, area) => sum + usdOf(area), 0)

/** How far a chart reaches from the price, as a factor. */
export const zooms = [
  { name: '±2 %', factor: 1.02 },
  { name: '±10 %', factor: 1.1 },
  { name: '½ to 2×', factor: 2 },
] as const
export type Zoom = (typeof zooms)[number]

export const spanOf = ({ factor }: Zoom, mid: number): Span => ({
  from: mid / factor,
  to: mid * factor,
})

/** Part of the dollars in sight that a closer look must show. */
const shareMin = 0.6

/** The closest look at most of the dollars. */
export const fitZoom = (areas: readonly Area[], mid: number): Zoom => {
  const [closest, middle, widest] = zooms
  const all = usdWithin(areas, spanOf(widest, mid))
  const holdsMost = (zoom: Zoom) => usdWithin(areas, spanOf(zoom, mid)) >= all * shareMin
  return [closest, middle].find(holdsMost) ?? widest
}

/** Round numbers inside a span, about so many. */
export const roundMarks = ({ from, to }: Span, count: number): readonly number[] => {
  const rough = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(from / step)
  const marks = Math.floor(to / step) - first + 1
  return Array.from({ length: Math.max(0, marks) }, (_, at) => (first + at) * step)
}
