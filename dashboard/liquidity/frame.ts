import { type Area, type Span, usdPerPercent } from './shape.ts'

/*
 * From prices and dollars to pixels: prices on a logarithmic scale, dollars from zero.
 */

export const plotHeight = 240
const priceAxisHeight = 24
const usdAxisWidth = 56
export const baseline = plotHeight - priceAxisHeight

/** Room above the highest area, as a factor. */
const headroom = 1.1

export type Frame = {
  readonly right: number
  readonly usdMax: number
  readonly xOf: (price: number) => number
  readonly yOf: (usd: number) => number
  readonly priceAt: (x: number) => number
}

/** An area is highest at one of its ends. */
const highestOf = (areas: readonly Area[]): number =>
  Math.max(...areas.flatMap((area) => [area.from, area.to].map((end) => usdPerPercent(area, end))))

export const createFrame = (areas: readonly Area[], { from, to }: Span, width: number): Frame => {
  const right = Math.max(1, width - usdAxisWidth)
  const usdMax = highestOf(areas) * headroom
  const decades = Math.log(to / from)
  return {
    right,
    usdMax,
    xOf: (price) => (Math.log(price / from) / decades) * right,
    yOf: (usd) => baseline * (1 - usd / usdMax),
    priceAt: (x) => from * Math.exp((x / right) * decades),
  }
}

/** Pixels between two points of a curve. */
const stepPixels = 12

/** The outline of an area as an SVG path. */
export const pathOf = (area: Area, { xOf, yOf, priceAt }: Frame): string => {
  const [left, right] = [xOf(area.from), xOf(area.to)]
  const steps = Math.max(1, Math.ceil((right - left) / stepPixels))
  const points = Array.from({ length: steps + 1 }, (_, at) => {
    const x = left + ((right - left) * at) / steps
    return `L${x.toFixed(1)} ${yOf(usdPerPercent(area, priceAt(x))).toFixed(1)}`
  })
  return `M${left.toFixed(1)} ${baseline}${points.join('')}L${right.toFixed(1)} ${baseline}Z`
}
