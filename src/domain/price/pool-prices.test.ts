import { expect, test } from 'vitest'
import type { PoolKind } from '../views/pool.ts'
import { poolUsdPrices } from './pool-prices.ts'

type Row = readonly [PoolKind, number | null, number | null, number | null, unknown, unknown]

/** Anchors (methodology §3, table): price in other, stock ref, other ref -> stock, other. */
const table: readonly Row[] = [
  // Implied by the other side's reference; the stock's own reference has no part in it.
  ['canonical', 225, 220, 1.001, 225 * 1.001, 1.001],
  ['canonical', 225, null, 1, 225, 1],
  ['canonical', null, 220, 1, null, 1],
  ['canonical', 225, 220, null, null, null],
  // The meme's price is implied, the stock's is its reference.
  ['meme', 1e9, 220, null, 220, 220 / 1e9],
  ['meme', null, 220, null, 220, null],
  ['meme', 1e9, null, null, null, null],
  ['stock-stock', 0.5, 230, 440, 220, 440],
  ['stock-stock', 0.5, 230, null, null, null],
  // What left the finite positive numbers is not known.
  ['meme', 1e-300, 1e300, null, 1e300, null],
  ['meme', 1e300, 1e-300, null, 1e-300, null],
  ['canonical', 1e300, 220, 1e300, null, 1e300],
]

test.each(table)('%s: %s others a stock, refs %s and %s', (kind, price, stock, other, ...usd) => {
  const input = { kind, stockPriceInOther: price, stockRefUsd: stock, otherRefUsd: other }
  expect(poolUsdPrices(input)).toEqual({ stockPriceUsd: usd[0], otherPriceUsd: usd[1] })
})
