import { createMemo } from '../memo.ts'
import type { TickMap } from '../pool/tick-map.ts'

/** Raw amounts, approximately. */
export type TickDepth = { readonly amount0: number; readonly amount1: number }

const q96 = 2 ** 96
const nothing: TickDepth = { amount0: 0, amount1: 0 }

/** Fields per tick: √price, liquidity from there on, token1 of all below, token0 of all above. */
const sqrtPrice = 0
const liquidity = 1
const below1 = 2
const above0 = 3
const fields = 4

type Curve = Float64Array

const at = (curve: Curve, index: number, field: number): number =>
  curve[index * fields + field] ?? 0

const curveOf = (map: TickMap): Curve => {
  const count = map.ticks.length
  const curve = new Float64Array(count * fields)
  for (let index = 0; index < count; index++) {
    curve[index * fields + sqrtPrice] = Number(map.sqrtPricesX96[index] ?? 0n) / q96
    curve[index * fields + liquidity] = Number(map.liquidities[index] ?? 0n)
  }
  for (let index = 1; index < count; index++) {
    const width = at(curve, index, sqrtPrice) - at(curve, index - 1, sqrtPrice)
    const amount1 = at(curve, index - 1, liquidity) * width
    curve[index * fields + below1] = at(curve, index - 1, below1) + amount1
  }
  for (let index = count - 2; index >= 0; index--) {
    const width = 1 / at(curve, index, sqrtPrice) - 1 / at(curve, index + 1, sqrtPrice)
    const amount0 = at(curve, index, liquidity) * width
    curve[index * fields + above0] = at(curve, index + 1, above0) + amount0
  }
  return curve
}

/** Index of the last tick at or below the √price; -1 if there is none. */
const lastAtOrBelow = (curve: Curve, price: number): number => {
  let low = 0
  let high = curve.length / fields
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(curve, middle, sqrtPrice) <= price) low = middle + 1
    else high = middle
  }
  return low - 1
}

const depthOn = (curve: Curve, price: number): TickDepth => {
  const index = lastAtOrBelow(curve, price)
  if (index < 0) return { amount0: at(curve, 0, above0), amount1: 0 }
  const next = index + 1
  if (next * fields >= curve.length) return { amount0: 0, amount1: at(curve, index, below1) }
  const active = at(curve, index, liquidity)
  return {
    amount0: at(curve, next, above0) + active * (1 / price - 1 / at(curve, next, sqrtPrice)),
    amount1: at(curve, index, below1) + active * (price - at(curve, index, sqrtPrice)),
  }
}

/** More pools than are deep and trade at one time. */
const mapsMax = 2048
const cachedCurve = createMemo(mapsMax, curveOf)

/**
 * Approximates `reservesFromTickMap` at a √price (Q64.96) in logarithmic time once the map is
 * cached. Used to rank pools, never to report reserves.
 */
export const approximateDepth = (map: TickMap, sqrtPriceX96: bigint): TickDepth =>
  map.ticks.length === 0 ? nothing : depthOn(cachedCurve(map), Number(sqrtPriceX96) / q96)
