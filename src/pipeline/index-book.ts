import type { Anchor, ChainLog } from '../domain/chain/chain-log.ts'
import type { Keccak256 } from '../domain/dex/identity.ts'
import { type Ingested, ingestLogs } from '../domain/ingest/ingest.ts'
import { createPoolBook, type PoolBook } from '../domain/ingest/pool-book.ts'
import type { Venues } from '../domain/ingest/recognise.ts'
import { createSwapPricing } from '../domain/ingest/swap-pricing.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../domain/pool/kind.ts'
import { liquidityMapOf } from '../domain/pool/liquidity-map.ts'
import type { StoredTick } from '../domain/pool/stored-events.ts'
import type { Reading } from '../domain/reading.ts'
import type { ReferenceBook } from '../domain/stock/reference-book.ts'
import type { Address } from '../domain/units.ts'
import type { Backfill, Batch, Store, StoredPool } from '../ports.ts'
import { type Feeds, type PricePoint, pointsAt } from './feeds.ts'

/** The index in memory: every followed pool as of one block, always that of the store's cursor. */
export type IndexBook = {
  readonly indexed: () => Anchor | null
  readonly pools: () => PoolBook
  /** Takes the store's word for everything. */
  readonly load: () => Promise<void>
  readonly advance: (
    logs: readonly ChainLog[],
    reached: { readonly to: Anchor; readonly head: Anchor; readonly backfill: Backfill },
  ) => Promise<'committed' | 'stale-cursor'>
}

type Deps = {
  readonly store: Store
  readonly roles: TokenRoles
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly references: ReferenceBook
  readonly feeds: Feeds
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly onIngested: (ingested: Ingested, logs: readonly ChainLog[]) => void
  /** Whoever was told of these pools before may have ended before it acted on it. */
  readonly onLoaded: (pools: IterableIterator<TrackedPool>) => void
}

const groupTicks = async (
  ticks: AsyncIterable<StoredTick>,
): Promise<ReadonlyMap<number, readonly StoredTick[]>> => {
  const byPool = new Map<number, StoredTick[]>()
  for await (const tick of ticks) {
    const rows = byPool.get(tick.pool)
    if (rows === undefined) byPool.set(tick.pool, [tick])
    else rows.push(tick)
  }
  return byPool
}

/** Ticks that make no map are a fault of the index, said as such instead of served as reserves. */
const trackedOf = (stored: StoredPool, ticks: readonly StoredTick[]): TrackedPool => {
  const {
    number,
    id,
    version,
    venue,
    key,
    createdBlock,
    createdTs,
    lastHotTs: _,
    ...state
  } = stored
  const identity = { number, id, version, venue, key, createdBlock, createdTs }
  const map = liquidityMapOf(ticks)
  if (map.known) return { identity, state, map: map.value }
  const empty = liquidityMapOf([])
  if (!empty.known) throw new Error('the empty liquidity map is no map')
  return { identity, state: { ...state, mapFault: 'index_gap', reserves: null }, map: empty.value }
}

type Reached = Parameters<IndexBook['advance']>[1]

const batchOf = (
  ingested: Ingested,
  { to, head, backfill }: Reached,
  rest: Pick<Batch, 'before' | 'references'>,
): Batch => {
  const { blocks, pools, touched, ticks, swaps, liquidity, candles } = ingested
  const states = touched.map(({ identity, state }) => ({ pool: identity.number, state }))
  return { ...rest, to, head, backfill, blocks, pools, states, ticks, swaps, liquidity, candles }
}

export const createIndexBook = (deps: Deps): IndexBook => {
  const { store, roles, venues, keccak256, references, feeds, decimalsOf } = deps

  const open = () => {
    const book = createPoolBook()
    return { book, pricing: createSwapPricing({ book, references, roles, decimalsOf }) }
  }

  let held = open()
  let anchor: Anchor | null = null

  const load = async (): Promise<void> => {
    const ticks = await groupTicks(store.readTicks())
    const loaded = await store.snapshot(async (snapshot) => ({
      header: await snapshot.header(),
      pools: await snapshot.poolsChangedAfter(-1),
    }))
    const opened = open()
    for (const pool of loaded.pools) opened.book.put(trackedOf(pool, ticks.get(pool.number) ?? []))
    held = opened
    anchor = loaded.header?.indexed ?? null
    deps.onLoaded(opened.book.all())
  }

  const advance: IndexBook['advance'] = async (logs, reached) => {
    const points: PricePoint[] = []
    const observe = (log: ChainLog): void => {
      for (const point of feeds.pointsOf(log)) {
        references.add(point.address, point)
        points.push(point)
      }
    }
    const ingested = ingestLogs(logs, { ...held, roles, venues, keccak256, observe })
    const before = anchor?.block ?? null
    // Pools and anchor change together, so that whoever looks in between sees one block.
    anchor = reached.to
    const batch = batchOf(ingested, reached, { before, references: points.flatMap(pointsAt) })
    const outcome = await store.commit(batch).catch(async (cause: unknown) => {
      // The book is ahead of the store now, and only the store is right.
      await load()
      throw cause
    })
    if (outcome === 'stale-cursor') {
      await load()
      return outcome
    }
    deps.onIngested(ingested, logs)
    return outcome
  }

  return { indexed: () => anchor, pools: () => held.book, load, advance }
}
