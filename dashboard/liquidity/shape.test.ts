import { expect, test } from 'vitest'
import { clipTo, fitZoom, listAreas, roundMarks, spanOf, usdPerPercent, zooms } from './shape.ts'

const bounds = { tickLower: 0, tickUpper: 0, liquidity: '1' }
const prices = { mid: 100, stockUsd: 200, otherUsd: 2 }
/** A pool of liquidity 1000 between the prices, in whole tokens. */
const segment = (priceLower: number, priceUpper: number) => {
  const [from, to] = [priceLower, priceUpper].map((each) => Math.sqrt(each)) as [number, number]
  const root = Math.min(to, Math.max(from, Math.sqrt(prices.mid)))
  const otherAmount = 1000 * (root - from)
  const stockAmount = 1000 * (1 / root - 1 / to)
  const usd = stockAmount * prices.stockUsd + otherAmount * prices.otherUsd
  return { ...bounds, priceLower, priceUpper, stockAmount, otherAmount, usd }
}

const usd = ({ from, to, side, usdPerRoot }: ReturnType<typeof listAreas>[number]) =>
  usdPerRoot *
  (side === 'other' ? Math.sqrt(to) - Math.sqrt(from) : 1 / Math.sqrt(from) - 1 / Math.sqrt(to))

test('the other token lies below the price, the stock above, and both add up', () => {
  const segments = [segment(50, 90), segment(90, 120), segment(120, 150)]
  const areas = listAreas(segments, prices)
  expect(areas.map(({ side, at, from, to }) => [side, at, from, to])).toEqual([
    ['other', 0, 50, 90],
    ['other', 1, 90, 100],
    ['stock', 1, 100, 120],
    ['stock', 2, 120, 150],
  ])
  for (const [at, { usd: whole }] of segments.entries()) {
    const parts = areas.filter((area) => area.at === at).map(usd)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(whole, 6)
  }
})

test('the same liquidity has one height on both sides of the price', () => {
  const [below, above] = listAreas([segment(90, 120)], prices)
  if (below === undefined || above === undefined) throw new Error('both sides are there')
  expect(usdPerPercent(below, 100)).toBeCloseTo(usdPerPercent(above, 100), 9)
  // 1000 · √100 / 2 other tokens of 2 dollars for each unit of ln p.
  expect(usdPerPercent(below, 100)).toBeCloseTo(10_000 * Math.log(1.01), 6)
})

test('a segment over all prices is cut without a loss of height', () => {
  const areas = listAreas([segment(1e-27, 1e50)], prices)
  const cut = clipTo(areas, { from: 80, to: 125 })
  expect(cut.map(({ from, to }) => [from, to])).toEqual([
    [80, 100],
    [100, 125],
  ])
  expect(cut.map((area) => usdPerPercent(area, 100))).toEqual(
    areas.map((area) => usdPerPercent(area, 100)),
  )
  expect(fitZoom(areas, 100)).toBe(zooms[2])
})

test('the closest look that shows most dollars is the first', () => {
  const zoomOf = (...bounds: readonly (readonly [number, number])[]) =>
    fitZoom(
      listAreas(
        bounds.map((each) => segment(...each)),
        prices,
      ),
      100,
    )
  expect(zoomOf([99, 101])).toBe(zooms[0])
  expect(zoomOf([94, 106])).toBe(zooms[1])
  expect(zoomOf([60, 170])).toBe(zooms[2])
  expect(zoomOf()).toBe(zooms[0])
  expect(spanOf(zooms[2], 100)).toEqual({ from: 50, to: 200 })
})

// from, to, count, marks
test.each([
  [0, 10, 5, [0, 2, 4, 6, 8, 10]],
  [219, 228, 4, [220, 222.5, 225, 227.5]],
  [0.0599, 0.0611, 2, [0.06, 0.061]],
  [3, 3, 4, []],
])('round marks from %d to %d', (from, to, count, marks) => {
  const found = roundMarks({ from, to }, count)
  expect(found.map((each) => Number(each.toPrecision(9)))).toEqual(marks)
})
