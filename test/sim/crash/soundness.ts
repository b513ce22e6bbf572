import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import {
  decodePoolEvents,
  hasStoredRow,
  poolEventsFromRows,
} from '../../../src/domain/ingest/pool-events.ts'
import type { PoolEvent } from '../../../src/domain/pool/pool-event.ts'
import {
  type Candle,
  candleWidths,
  type StoredSwap,
  usdMicroMax,
} from '../../../src/domain/pool/stored-rows.ts'
import { rawPrice } from '../../../src/domain/series/candles.ts'
import { bucketStart } from '../../../src/domain/series/series-range.ts'
import type { PoolId, UnixSeconds } from '../../../src/domain/units.ts'
import type { Store } from '../../../src/ports/store.ts'
import { completeLine } from '../../support/domain/complete-line.ts'
import { createSampleIndex, venues } from '../../support/domain/sample-market.ts'
import { keccak } from '../../support/domain/sample-pool.ts'
import { readStored, type Stored } from '../invariants.ts'
import { lineOf, poolsAfter, type SimBlock, type SimChain } from '../sim-chain.ts'
import { historyDays } from './crash-network.ts'
import type { Followed } from './network-files.ts'

const daySeconds = 86_400

const everything: Followed = { venues, roles: createSampleIndex().roles }

/** From when on swaps are kept: what came before may be gone, or was never read. */
export const keptSinceTs = ({ header: { cursor, backfillCursor } }: Stored): UnixSeconds => {
  const pruned = bucketStart((cursor?.ts ?? 0) - historyDays * daySeconds, daySeconds)
  // Of the block itself that the history ends after nothing is in.
  return Math.max(pruned, backfillCursor === null ? 0 : backfillCursor.completeAfter.ts + 1)
}

/** The events of the chain up to a block of any branch. */
const chainEvents = (head: SimBlock, followed: Followed): readonly PoolEvent[] => {
  const logs = lineOf(head).flatMap((block) => block.logs)
  return decodePoolEvents(logs, { ...followed, keccak256: keccak, findPool: () => undefined })
}

/** Without the hash of a block that may be forgotten: a day before the finalized one. */
const toLine =
  ({ header: { finalizedCursor } }: Stored) =>
  (event: PoolEvent): string =>
    event.at.ts < (finalizedCursor?.ts ?? 0) - daySeconds
      ? completeLine({ ...event, at: { ...event.at, blockHash: '0x' } })
      : completeLine(event)

const chainLines = (
  stored: Stored,
  events: readonly PoolEvent[],
  sinceTs: UnixSeconds,
): readonly string[] =>
  events
    .filter((event) => hasStoredRow(event) && event.at.ts >= sinceTs)
    .map(toLine(stored))
    .toSorted()

const heldLines = (stored: Stored, sinceTs: UnixSeconds): readonly string[] => {
  const ids = new Map(stored.pools.map(({ number, id }) => [number, id]))
  return poolEventsFromRows(stored.events, (number) => ids.get(number))
    .filter(({ at }) => at.ts >= sinceTs)
    .map(toLine(stored))
    .toSorted()
}

/** Pools whose state is not what their contract has after that block. */
const misfolded = ({ pools, ticks }: Stored, head: SimBlock, followed: ReadonlySet<PoolId>) =>
  poolsAfter(head).flatMap((truth) => {
    if (!followed.has(truth.id)) return []
    const pool = pools.find(({ id }) => id === truth.id)
    if (pool === undefined) return [`pool ${truth.id} is missing`]
    const { price, liquidity, reserves, depth, mapFault } = pool
    const own = ticks.filter((tick) => tick.pool === pool.number)
    const rows = own.map(({ tick, net, gross }) => ({ tick, net, gross }))
    const held = { price, liquidity, reserves, depth, mapFault, rows }
    const real = {
      price: truth.price(),
      liquidity: truth.liquidity(),
      reserves: truth.reserves(),
      depth: truth.depth(),
      mapFault: null,
      rows: truth.rows().toSorted((a, b) => a.tick - b.tick),
    }
    return isDeepStrictEqual(held, real) ? [] : [`pool ${pool.number} is not as its contract`]
  })

type Bucket = Omit<Candle, 'reserve0' | 'reserve1'>

const recounted = (swaps: readonly StoredSwap[], width: Candle['width']): readonly Bucket[] => {
  const buckets = Map.groupBy(swaps, ({ ts }) => bucketStart(ts, width))
  return [...buckets].map(([ts, own]) => {
    const prices = own.map(({ sqrtPriceX96 }) => rawPrice(sqrtPriceX96))
    return {
      pool: own[0]?.pool ?? 0,
      width,
      ts,
      open: prices[0] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? 0,
      usdMicro: Math.min(
        usdMicroMax,
        own.reduce((sum, swap) => sum + (swap.usdMicro ?? 0), 0),
      ),
      swaps: own.length,
      unpriced: own.filter(({ usdMicro }) => usdMicro === null).length,
      estimated: own.filter(({ estimated }) => estimated).length,
      implausible: own.filter(({ implausible }) => implausible).length,
      feeYield: Math.min(
        usdMicroMax,
        own.reduce((sum, swap) => sum + (swap.feeYield ?? 0), 0),
      ),
      yielded: own.filter(({ feeYield }) => feeYield !== null).length,
    }
  })
}

/** Candles that the swaps do not add up to. */
const miscounted = async (store: Store, { pools, events }: Stored, sinceTs: UnixSeconds) => {
  const found: string[] = []
  for (const { number: pool } of pools) {
    const own = events.swaps
      .filter((swap) => swap.pool === pool)
      .toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    for (const width of candleWidths) {
      // Buckets that were kept whole.
      const fromTs = Math.ceil(sinceTs / width) * width
      const query = { pool, width, fromTs, toTs: Number.MAX_SAFE_INTEGER }
      const { rows } = await store.snapshot((snapshot) => snapshot.candles(query))
      const held = rows
        .filter(({ swaps }) => swaps > 0)
        .map(({ reserve0: _, reserve1: __, ...bucket }) => bucket)
      const counted = recounted(
        own.filter(({ ts }) => ts >= fromTs),
        width,
      )
      if (!isDeepStrictEqual(held, counted)) found.push(`candles of ${width} s of pool ${pool}`)
    }
  }
  return found
}

export const integrityOf = (path: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true })
  const answer = db.prepare('PRAGMA integrity_check').get()
  db.close()
  return answer?.integrity_check
}

/** What is broken in a store, at whatever moment its writer ended. */
export const faultsOf = async (
  store: Store,
  chain: SimChain,
  followed = everything,
): Promise<readonly string[]> => {
  const stored = await readStored(store)
  if (stored === null) return []
  const { cursor, finalizedCursor } = stored.header
  // A bootstrap may be under way: it knows pools but none of their events.
  const { swaps, liquidity } = stored.events
  if (cursor === null) return [...swaps, ...liquidity].map(() => 'an event above no block')
  const head = chain.blockOf(cursor.hash)
  if (head === undefined) return [`the indexed block ${cursor.block} is of no branch`]
  const found: string[] = []
  if (
    finalizedCursor !== null &&
    chain.anchor(finalizedCursor.block)?.hash !== finalizedCursor.hash
  ) {
    found.push(`the settled block ${finalizedCursor.block} is not canonical`)
  }
  const sinceTs = keptSinceTs(stored)
  const events = chainEvents(head, followed)
  const inChain = chainLines(stored, events, sinceTs)
  const isWhole = isDeepStrictEqual(heldLines(stored, sinceTs), inChain)
  if (!isWhole) found.push(`events up to block ${cursor.block}`)
  const pools = new Set(events.map(({ poolId }) => poolId))
  const counted = await miscounted(store, stored, sinceTs)
  return [...found, ...misfolded(stored, head, pools), ...counted]
}

/** All that must be the same in the end, whatever happened on the way. */
export const outcomeOf = async (store: Store) => {
  const stored = await readStored(store)
  if (stored === null) throw new Error('no index has claimed this store')
  const { header, pools, ticks, events } = stored
  const { cursor, finalizedCursor, identity, backfillCursor, repairs } = header
  const sinceTs = keptSinceTs(stored)
  const { tokens, stocks } = await store.snapshot(async (snapshot) => ({
    tokens: await snapshot.tokensChangedAfter(-1),
    stocks: await snapshot.stocksChangedAfter(-1),
  }))
  const place = (row: { pool: number; block: number; logIndex: number }): number =>
    (row.block * 1000 + row.logIndex) * 10 + row.pool
  const kept = <Row extends StoredSwap | Stored['events']['liquidity'][number]>(
    rows: readonly Row[],
  ) => rows.filter(({ ts }) => ts >= sinceTs).toSorted((a, b) => place(a) - place(b))
  return {
    header: {
      indexed: cursor,
      settled: finalizedCursor,
      identity,
      history: backfillCursor,
      repairs,
    },
    pools: pools.map(({ lastHotTs: _, ...pool }) => pool).toSorted((a, b) => a.number - b.number),
    ticks,
    swaps: kept(events.swaps),
    liquidity: kept(events.liquidity),
    tokens: tokens.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    stocks: stocks
      .map(({ readTs: _, ...stock }) => stock)
      .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  }
}
