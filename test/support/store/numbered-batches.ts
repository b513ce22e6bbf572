import type { BranchReplacement, RangeBatch } from '../../../src/ports/store-batches.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  day,
  identityOf,
  stateOf,
  swapAt,
} from '../../store-contract/fixtures.ts'

export const poolCount = 20

const pools = Array.from({ length: poolCount }, (_, at) => identityOf(at + 1))

/** How many swaps batch `number` holds. */
const swapCountOf = (number: number): number => 1 + ((number * 7) % 40)

/** How many swaps batches 1 to `number` hold. */
export const swapsUpTo = (number: number): number => {
  let swaps = 0
  for (let each = 1; each <= number; each++) swaps += swapCountOf(each)
  return swaps
}

/** Batch 1, 2, 3, ... of one block each: what it holds follows from its number alone. */
export const batchNumber = (number: number): RangeBatch => {
  const swaps = Array.from({ length: swapCountOf(number) }, (_, logIndex) => {
    const pool = 1 + ((number + logIndex) % poolCount)
    return swapAt({ pool, block: number, logIndex }, { amount0: BigInt(number) })
  })
  const touched = [...new Set(swaps.map(({ pool }) => pool))]
  const minute = day + number - (number % 60)
  return batchOf(
    { before: number === 1 ? null : number - 1, to: number },
    {
      blocks: [blockRefAt(number)],
      pools: number === 1 ? pools : [],
      states: touched.map((pool) => ({ pool, state: stateOf(BigInt(number)) })),
      ticks: touched.map((pool) => ({ pool, tick: number % 50, net: BigInt(number), gross: 1n })),
      swaps,
      candles: touched.map((pool) =>
        candleAt({ pool, width: 60, ts: minute }, { swaps: 1, close: number }),
      ),
    },
  )
}

/** Above this block branches take turns, up to that one. */
const ancestorNumber = 20
export const branchEnd = 60

/** Branch 0 is the batches themselves. */
const forkOf = (number: number): number => (number === 0 ? 0 : 1 + (number % 14))

/** Branch 1, 2, 3, ... in the place of the one before: what it holds follows from its number. */
export const replacementNumber = (number: number): BranchReplacement => {
  const candles = (pool: number) => [candleAt({ pool, width: 60, ts: day }, { close: number })]
  const blocks = Array.from({ length: branchEnd - ancestorNumber }, (_, at) => 1 + at)
  const batches = blocks.map((at) => batchNumber(ancestorNumber + at))
  const to = blockRefAt(branchEnd, forkOf(number))
  return {
    epoch: number - 1,
    cursor: blockRefAt(branchEnd, forkOf(number - 1)),
    ancestor: blockRefAt(ancestorNumber),
    restored: pools.map(({ number: pool }) => ({
      pool,
      state: stateOf(BigInt(number)),
      ticks: [{ pool, tick: number, net: 0n, gross: 2n }],
      candles: candles(pool),
    })),
    branch: batchOf(
      { before: ancestorNumber, to: branchEnd },
      { to, swaps: batches.flatMap((batch) => batch.swaps).slice(0, 100 + (number % 300)) },
    ),
    repairs: number % 3,
  }
}
