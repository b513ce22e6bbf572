import type { Anchor, ChainLog } from '../domain/chain/chain-log.ts'
import type { Keccak256 } from '../domain/dex/identity.ts'
import { type Ingested, ingestLogs } from '../domain/ingest/ingest.ts'
import { createPoolBook, type PoolBook } from '../domain/ingest/pool-book.ts'
import type { Venues } from '../domain/ingest/recognise.ts'
import { createSwapPricing, type SwapPricing } from '../domain/ingest/swap-pricing.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../domain/pool/kind.ts'
import { ticksOfLiquidityMap } from '../domain/pool/liquidity-map.ts'
import type { Reading } from '../domain/reading.ts'
import type { ReferenceBook } from '../domain/stock/reference-book.ts'
import type { Address } from '../domain/units.ts'
import type { Store } from '../ports/store.ts'
import type { Backfill, Batch, RestoredPool } from '../ports/store-rows.ts'
import { type Feeds, type PricePoint, pointsAt } from './feeds.ts'
import { loadPools } from './load-pools.ts'

/** Where a range of logs brings the index. */
export type Reached = { readonly to: Anchor; readonly head: Anchor; readonly backfill: Backfill }

/** What is known of the block above which everything is replaced. */
export type AncestorState = {
  readonly ancestor: Anchor | null
  /** The epoch in which it was looked up. */
  readonly epoch: number
  /** The pools that what is replaced had touched, as they were at the ancestor. */
  readonly restored: readonly (Pick<RestoredPool, 'candles'> & { readonly pool: TrackedPool })[]
  readonly repairs: number
}

/** The index in memory: every followed pool as of one block, always that of the store's cursor. */
export type IndexBook = {
  readonly indexed: () => Anchor | null
  readonly pools: () => PoolBook
  /** Takes the store's word for everything. */
  readonly load: () => Promise<void>
  readonly advance: (
    logs: readonly ChainLog[],
    reached: Reached,
  ) => Promise<'committed' | 'stale-cursor'>
  /** Puts a new branch in the place of everything above an ancestor (methodology §7). */
  readonly replace: (
    logs: readonly ChainLog[],
    reached: Reached,
    from: AncestorState,
  ) => Promise<'committed' | 'stale-cursor' | 'below-settled'>
  /** Forgets all pools and events, of which nothing is settled: they are read anew. */
  readonly drop: () => Promise<void>
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
  /** Before a new branch is told by `onIngested`: what the old one said no longer holds. */
  readonly onReplaced: () => void
}

const batchOf = (
  ingested: Ingested,
  { to, head, backfill }: Reached,
  rest: Pick<Batch, 'before' | 'references'>,
): Batch => {
  const { blocks, pools, touched, ticks, swaps, liquidity, candles } = ingested
  const states = touched.map(({ identity, state }) => ({ pool: identity.number, state }))
  return { ...rest, to, head, backfill, blocks, pools, states, ticks, swaps, liquidity, candles }
}

const restoredOf = ({ pool, candles }: AncestorState['restored'][number]): RestoredPool => {
  const { number } = pool.identity
  const ticks = ticksOfLiquidityMap(pool.map).map((tick) => ({ pool: number, ...tick }))
  return { pool: number, state: pool.state, ticks, candles }
}

type Held = { readonly book: PoolBook; readonly pricing: SwapPricing }

const createIngest = ({ feeds, references, roles, venues, keccak256 }: Deps) => {
  return (held: Held, logs: readonly ChainLog[]) => {
    const points: PricePoint[] = []
    const observe = (log: ChainLog): void => {
      for (const point of feeds.pointsOf(log)) {
        references.add(point.address, point)
        points.push(point)
      }
    }
    const ingested = ingestLogs(logs, { ...held, roles, venues, keccak256, observe })
    return { ingested, references: points.flatMap(pointsAt) }
  }
}

export const createIndexBook = (deps: Deps): IndexBook => {
  const { store, roles, references, decimalsOf, onIngested, onReplaced } = deps
  const ingest = createIngest(deps)

  const open = (pools: Iterable<TrackedPool>): Held => {
    const book = createPoolBook()
    for (const pool of pools) book.put(pool)
    return { book, pricing: createSwapPricing({ book, references, roles, decimalsOf }) }
  }

  let held = open([])
  let anchor: Anchor | null = null

  const load = async (): Promise<void> => {
    const loaded = await loadPools(store)
    // Those of a first reading are not of one block yet.
    held = open(loaded.indexed === null ? [] : loaded.pools)
    anchor = loaded.indexed
    deps.onLoaded(held.book.all())
  }

  const advance: IndexBook['advance'] = async (logs, reached) => {
    const done = ingest(held, logs)
    const before = anchor?.block ?? null
    // Pools and anchor change together, so that whoever looks in between sees one block.
    anchor = reached.to
    const batch = batchOf(done.ingested, reached, { before, references: done.references })
    const outcome = await store.commit(batch).catch(async (cause: unknown) => {
      // The book is ahead of the store now, and only the store is right.
      await load()
      throw cause
    })
    if (outcome === 'stale-cursor') await load()
    else onIngested(done.ingested, logs)
    return outcome
  }

  const poolsAt = ({ ancestor, restored }: AncestorState): readonly TrackedPool[] => {
    const byNumber = new Map(restored.map(({ pool }) => [pool.identity.number, pool]))
    return [...held.book.all()]
      .filter(({ identity }) => identity.createdBlock <= (ancestor?.block ?? -1))
      .map((pool) => byNumber.get(pool.identity.number) ?? pool)
  }

  const replace: IndexBook['replace'] = async (logs, reached, from) => {
    const { ancestor, epoch, repairs } = from
    if (anchor === null) return 'stale-cursor'
    // The held book stays as it is until the store has taken the branch.
    const replaced = open(poolsAt(from))
    const done = ingest(replaced, logs)
    const before = ancestor?.block ?? null
    const branch = batchOf(done.ingested, reached, { before, references: done.references })
    const restored = from.restored.map(restoredOf)
    const replacement = { epoch, indexed: anchor, ancestor, restored, branch, repairs }
    const outcome = await store.replaceBranch(replacement)
    if (outcome !== 'committed') {
      await load()
      return outcome
    }
    held = replaced
    anchor = reached.to
    onReplaced()
    onIngested(done.ingested, logs)
    return outcome
  }

  const drop: IndexBook['drop'] = async () => {
    const outcome = await store.dropReading(anchor)
    await load()
    if (outcome === 'committed') onReplaced()
  }

  return { indexed: () => anchor, pools: () => held.book, load, advance, replace, drop }
}
