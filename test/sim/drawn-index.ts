import { poolTopics } from '../../src/domain/ingest/decode-pool-log.ts'
import { candleWidths } from '../../src/domain/pool/stored-rows.ts'
import type { Hash } from '../../src/domain/units.ts'
import { createIndexerEvents } from '../../src/indexer/events.ts'
import { createHeadFollower } from '../../src/indexer/realtime/follow-head.ts'
import { createHeadCache } from '../../src/indexer/realtime/head-cache.ts'
import { createBranchReplacer } from '../../src/indexer/reorg/replace-branch.ts'
import { createPoolReplayer } from '../../src/indexer/reorg/replay-pool.ts'
import { createIndexState } from '../../src/indexer/state/index-state.ts'
import { createFinalityChecker } from '../../src/indexer/verify/finality-check.ts'
import type { ChainReader } from '../../src/ports/chain-reader.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { allOf } from '../store-contract/fixtures.ts'
import { recordPrices } from '../support/domain/sample-history.ts'
import { createSampleIndex, decimalsOf, venues } from '../support/domain/sample-market.ts'
import { keccak } from '../support/domain/sample-pool.ts'
import { createMemoryLogger } from '../support/rpc/reader.ts'
import { type DrawnChain, firstBlock } from './drawn-chain.ts'
import { createDrawnNode, type DrawnNode } from './drawn-node.ts'
import { createWatch, sha256 } from './invariants.ts'

export const confirmations = 2
const pollMs = 500
const startTs = 1_800_000_000

/** A chain as an index meets it. */
export type FollowedChain = {
  readonly reader: ChainReader
  readonly origin: number
  readonly originHash: Hash | null
  /** What stands between the index and its store. */
  readonly through?: (store: Store) => Store
  /** Logs of a branch that is taken at once. */
  readonly branchLogsMax?: number
  /** An empty store; in memory by default. */
  readonly openStore?: () => Promise<Store>
}

const openInMemory = async (): Promise<Store> => {
  const store = createSqliteStore({ path: ':memory:' })
  if (!store.ok) throw new Error(store.fault)
  return store.value
}

const { roles } = createSampleIndex()

/** Follows a chain into a store, one step at a time. */
export const createIndex = async (followed: FollowedChain) => {
  const { reader, origin, originHash, openStore = openInMemory } = followed
  const opened = await openStore()
  await opened.claim({ chainId: 466_300, network: 'drawn', originHash }, startTs)
  const store = followed.through?.(opened) ?? opened
  const { references } = createSampleIndex()
  recordPrices({ references }, startTs)
  const reported: (string | null)[] = []
  const logger = createMemoryLogger()
  const common = { chain: reader, store, venues, keccak256: keccak, logger, roles, sha256 }
  const index = createIndexState({
    ...common,
    references,
    feeds: { refresh: async () => true, aggregators: () => [], decodePrices: () => [] },
    decimalsOf,
    reviewedHooks: new Map(),
    events: createIndexerEvents(),
    random: Math.random,
  })
  const topics = poolTopics
  const shared = { ...common, index, topics, origin, confirmations }
  const { branchLogsMax } = followed
  const limits = branchLogsMax === undefined ? {} : { logsMax: branchLogsMax }
  const branches = createBranchReplacer({
    ...shared,
    ...limits,
    replayPool: createPoolReplayer(common),
  })
  const finalityChecker = createFinalityChecker({
    ...shared,
    branches,
    // A check ends in the step that began it, however busy the machine.
    readMsMax: 60_000,
    decodePrices: () => [],
    swapsKeptSinceTs: () => 0,
  })
  const follower = createHeadFollower({
    ...shared,
    branches,
    finalityChecker,
    report: {
      success: async () => void reported.push(null),
      failure: async (error) => void reported.push(error),
    },
    // Time stands still: heads are asked for after every wait.
    heads: createHeadCache({ chain: reader, clock: { now: () => startTs }, pollMs }),
    pollMs,
    rangesPerStep: 3,
    backfillProgress: async () => null,
    onProgress: () => {},
  })
  await index.load()
  return { store, index, step: follower.step, reported, lines: logger.lines }
}

export type DrawnIndex = Awaited<ReturnType<typeof createIndex>>

export const createDrawnIndex = (
  chain: DrawnChain,
  { reader }: DrawnNode,
  more: Pick<FollowedChain, 'branchLogsMax'> = {},
): Promise<DrawnIndex> => {
  const originHash = chain.anchor(firstBlock)?.hash ?? null
  return createIndex({ reader, origin: firstBlock, originHash, ...more })
}

const headerOf = (store: Store) => store.snapshot((snapshot) => snapshot.header())

const span = { fromTs: 0, toTs: 2 * startTs }

/** All rows that come from the chain, pool by pool. */
const rowsOf = async (store: Store) => {
  const ticks = await allOf(store.readTicks())
  const { liquidity } = await store.readEvents({ from: 0, to: 2 * firstBlock ** 2 })
  return store.snapshot(async (snapshot) => {
    const pools = await snapshot.poolsChangedAfter(-1)
    const rows = pools.map(async (pool) => {
      const { number } = pool
      const swaps = await snapshot.swaps({ pool: number, fromTs: 0, rowsMax: 10_000 })
      const series = candleWidths.map((width) => snapshot.candles({ pool: number, width, ...span }))
      const candles = (await Promise.all(series)).flatMap((each) => each.rows)
      const own = <T extends { pool: number }>(all: readonly T[]) =>
        all.filter((row) => row.pool === number)
      return { pool, changes: own(liquidity), swaps, candles, ticks: own(ticks) }
    })
    return (await Promise.all(rows)).toSorted((a, b) => a.pool.number - b.pool.number)
  })
}

/** Fees that a replaced branch changed are unknown until they are read, which nothing does here. */
export const withUnreadFees = <Row extends { readonly pool: object }>(
  expected: readonly Row[],
  stored: Awaited<ReturnType<typeof rowsOf>>,
): readonly Row[] =>
  expected.map((row, at) =>
    stored[at]?.pool.fees === null ? { ...row, pool: { ...row.pool, fees: null } } : row,
  )

/** What a store holds that has seen nothing but this chain up to this block. */
export const undisturbed = async (chain: DrawnChain, to: number) => {
  const node = createDrawnNode({
    ...chain,
    head: () => to + confirmations,
    finalBlock: () => null,
    // Beyond the head of the real chain lie empty blocks.
    anchor: (block) => chain.anchor(block) ?? { block, hash: '0xff', ts: startTs },
  })
  const fresh = await createDrawnIndex(chain, node)
  while ((fresh.index.cursor()?.block ?? 0) < to) await fresh.step()
  const rows = await rowsOf(fresh.store)
  await fresh.store.close()
  return rows
}

/** What must hold after every step; `settledBefore` is what the step before left. */
export const violations = async (
  chain: DrawnChain,
  { store }: DrawnIndex,
  settledBefore: number,
): Promise<readonly string[]> => {
  const header = await headerOf(store)
  const fell = (header?.finalizedCursor?.block ?? 0) < settledBefore ? ['settled fell'] : []
  // These nodes may leave events out: above the settled block only that it is one chain.
  return [...fell, ...(await createWatch({ chain, store, isBlind: () => true }).violations())]
}

export const stateOf = async (drawn: DrawnIndex) => {
  const header = await headerOf(drawn.store)
  if (header === null) throw new Error('no header')
  return { header, rows: await rowsOf(drawn.store), pools: [...drawn.index.pools().all()] }
}
