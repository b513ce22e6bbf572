import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyHistory,
  indexInPieces,
  type SampleHistory,
} from '../../../test/support/domain/sample-history.ts'
import type { BlockRef } from '../chain/block-ref.ts'
import { bucketStart } from '../series/series-range.ts'
import type { BlockNumber } from '../units.ts'
import { openCandlesAt, type PoolHistory, poolAtBlock } from './pool-at-block.ts'
import { type TrackedPool, withReserveShort } from './tracked-pool.ts'

const daySeconds = 86_400

type Indexed = ReturnType<typeof indexInPieces>

/** A history, indexed whole and only up to one of its blocks. */
const cutAt = ({ blocks }: SampleHistory, cut: number) => {
  const { blockRef: anchor } = blocks[cut % blocks.length] as (typeof blocks)[number]
  const before = blocks.filter((each) => each.blockRef.block <= anchor.block)
  return { anchor, whole: indexInPieces([blocks]), early: indexInPieces([before]) }
}

const rowsOf = (
  { stored }: Indexed,
  { identity }: TrackedPool,
  block: BlockNumber,
): PoolHistory => ({
  lastSwap:
    stored.swaps.findLast((swap) => swap.pool === identity.number && swap.block <= block) ?? null,
  changes: stored.liquidity.filter(({ pool }) => pool === identity.number),
})

describe('a pool at an ancestor', () => {
  //   ───────────●──────────────▶ whole
  //   ───────────┘                early: what only the first part makes of it
  test('is rebuilt from its rows as its logs up to there build it, or is null', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, cut) => {
        const { anchor, whole, early } = cutAt(history, cut)
        for (const pool of whole.index.book.all()) {
          const there = early.index.book.byId(pool.identity.id)
          const past = rowsOf(whole, pool, anchor.block)
          const rebuilt = poolAtBlock(pool, past, anchor.block)
          if (past.lastSwap === null) expect(rebuilt).toBe(null)
          else expect(rebuilt).toEqual(there)
        }
      }),
    )
  })

  test('that is short stays short, because balances have no events', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, cut) => {
        const { anchor, whole } = cutAt(history, cut)
        for (const pool of whole.index.book.all()) {
          const past = rowsOf(whole, pool, anchor.block)
          const rebuilt = poolAtBlock(pool, past, anchor.block)
          const short = poolAtBlock(withReserveShort(pool, true), past, anchor.block)
          expect(short).toEqual(rebuilt && withReserveShort(rebuilt, true))
        }
      }),
    )
  })

  /** The first pool that was traded and the rows that it left. */
  const traded = () => {
    const history = fc.sample(anyHistory, { numRuns: 50, seed: 3 })
    for (const { blocks } of history) {
      const whole = indexInPieces([blocks])
      const block = blocks.at(-1)?.blockRef.block ?? 0
      for (const pool of whole.index.book.all()) {
        const past = rowsOf(whole, pool, block)
        if (past.lastSwap !== null && past.changes.length > 1) return { pool, past, block }
      }
    }
    throw new Error('no pool was traded')
  }
  const { pool, past, block } = traded()
  const [first, ...others] = past.changes

  test.each<[string, TrackedPool, Partial<PoolHistory>]>([
    ['no swap is kept', pool, { lastSwap: null }],
    ['a change of its liquidity is not kept', pool, { changes: others }],
    ['a change is kept twice', pool, { changes: [...past.changes, ...(first ? [first] : [])] }],
    ['its map has a gap', { ...pool, state: { ...pool.state, mapFault: 'index_gap' } }, {}],
  ])('is null when %s', (_, of, rest) => {
    expect(poolAtBlock(pool, past, block)).toEqual(pool)
    expect(poolAtBlock(of, { ...past, ...rest }, block)).toBe(null)
  })
})

/** When a pool had a price for the first time, and when its liquidity changed for the last time. */
const momentsOf = ({ stored }: Indexed, { identity }: TrackedPool, { block }: BlockRef) => {
  const candles = [...stored.candles.values()].filter(
    ({ pool, width }) => pool === identity.number && width === 60,
  )
  const changes = stored.liquidity.filter((each) => each.pool === identity.number)
  return {
    pricedTs: Math.min(...candles.map(({ ts }) => ts)),
    changedTs: changes.findLast((each) => each.block <= block)?.ts ?? null,
  }
}

describe('the open buckets of an ancestor', () => {
  //   minute   ┊··●┊     what is stored in them covers the ancestor's whole minute, hour and day;
  //   hour   ┊·····●···┊ they must be again as they were at ●
  test('are as they were when it was the last block', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, cut) => {
        const { anchor, whole, early } = cutAt(history, cut)
        for (const pool of early.index.book.all()) {
          const { number } = pool.identity
          const swaps = whole.stored.swaps.filter(
            (swap) =>
              swap.pool === number &&
              swap.block <= anchor.block &&
              swap.ts >= bucketStart(anchor.ts, daySeconds),
          )
          const moments = momentsOf(early, pool, anchor)
          const rebuilt = openCandlesAt(pool, anchor, { swaps, ...moments })
          const open = [...early.stored.candles.values()].filter(
            ({ pool, width, ts }) => pool === number && ts === bucketStart(anchor.ts, width),
          )
          expect(rebuilt).toEqual(open.toSorted((a, b) => a.width - b.width))
        }
      }),
    )
  })
})
