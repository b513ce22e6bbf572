import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeLine } from '../../../test/support/domain/complete-line.ts'
import { createSampleChain } from '../../../test/support/domain/sample-chain.ts'
import { anyHistory, indexInPieces } from '../../../test/support/domain/sample-history.ts'
import {
  createSampleIndex,
  poolOf,
  rootPrice,
  tokens,
  venues,
} from '../../../test/support/domain/sample-market.ts'
import { keccak } from '../../../test/support/domain/sample-pool.ts'
import { v4Venue } from '../../../test/support/domain/sample-venues.ts'
import type { PoolEvent } from '../pool/pool-event.ts'
import type { PoolId } from '../units.ts'
import {
  decodePoolEvents,
  hasStoredRow,
  poolEventsFromRows,
  type StoredRangeEvents,
} from './pool-events.ts'

const { roles } = createSampleIndex()
const known = { venues, keccak256: keccak, roles, findPool: () => undefined }

const linesOf = (events: readonly PoolEvent[]) => events.map(completeLine).toSorted()

const nothing: StoredRangeEvents = { blocks: [], pools: [], swaps: [], liquidity: [] }

describe('the pool events of a range', () => {
  // The finality check relies on this: logs and stored rows give the same lines.
  //
  //   logs ──decodePoolEvents──▶ events
  //     └─ index ─▶ rows ──poolEventsFromRows──▶ the same events
  test('are the same from the rows of any history as from its logs', () => {
    fc.assert(
      fc.property(anyHistory, ({ blocks }) => {
        const { stored } = indexInPieces([blocks])
        const ids = new Map(stored.pools.map(({ number, id }) => [number, id]))
        const rows = { ...stored, blocks: [...stored.blocks.values()] }
        const fromRows = poolEventsFromRows(rows, (number) => ids.get(number))
        const fromLogs = decodePoolEvents(
          blocks.flatMap(({ logs }) => logs),
          known,
        ).filter(hasStoredRow)
        expect(linesOf(fromRows)).toEqual(linesOf(fromLogs))
      }),
    )
  })

  /** One block of two pools, of which the second is not indexed. */
  const scene = () => {
    const chain = createSampleChain()
    const stockPool = poolOf(chain.emit, 'v4', { token0: tokens.apple, token1: tokens.weth })
    const otherPool = poolOf(chain.emit, 'v4', { token0: tokens.meme, token1: tokens.otherMeme })
    for (const pool of [stockPool, otherPool]) {
      pool.create(rootPrice(1n))
      pool.mint(-600, 600, 10n ** 18n)
      pool.swapTo(rootPrice(101n, 100n))
    }
    chain.mine()
    return { logs: chain.blocks().flatMap(({ logs }) => logs), stockPool, otherPool }
  }

  test('cover indexed pools only, including those created in the range', () => {
    const { logs, stockPool } = scene()
    const events = decodePoolEvents(logs, known)
    expect(events.map(({ kind }) => kind)).toEqual(['created', 'liquidity-changed', 'swapped'])
    expect(new Set(events.map(({ poolId }) => poolId))).toEqual(new Set([stockPool.id]))
  })

  test('cover earlier pools only if they are followed', () => {
    const { logs, stockPool, otherPool } = scene()
    const later = logs.filter((log) => log.topics[0] !== logs[0]?.topics[0])
    expect(decodePoolEvents(later, known)).toEqual([])
    const findPool = (followed: PoolId) => (id: PoolId) =>
      id === followed ? { protocol: v4Venue.protocol, venue: v4Venue.address } : undefined
    const ofStock = { ...known, findPool: findPool(stockPool.id) }
    expect(decodePoolEvents(later, ofStock)).toHaveLength(2)
    // A pool that was indexed while one of its tokens was a stock stays indexed.
    const ofOther = { ...known, findPool: findPool(otherPool.id) }
    expect(decodePoolEvents(logs, ofOther)).toHaveLength(6)
  })

  test('has no name for a block or a pool that the store does not name', () => {
    const { stored } = indexInPieces([createTraded()])
    const { swaps, liquidity } = stored
    const orphans = poolEventsFromRows({ ...nothing, swaps, liquidity }, () => undefined)
    expect(orphans.map(({ poolId, at }) => [poolId, at.blockHash])).toEqual([
      ['0x', '0x'],
      ['0x', '0x'],
    ])
  })
})

/** A block in which a pool is created, filled and traded. */
const createTraded = () => {
  const chain = createSampleChain()
  const pool = poolOf(chain.emit, 'v3', { token0: tokens.apple, token1: tokens.weth })
  pool.create(rootPrice(1n))
  pool.mint(-600, 600, 10n ** 18n)
  pool.swapTo(rootPrice(101n, 100n))
  chain.mine()
  return chain.blocks()
}
