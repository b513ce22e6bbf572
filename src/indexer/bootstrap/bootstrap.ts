import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { Venues } from '../../domain/ingest/decode-pool-log.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import { type TrackedPool, withOnchainState } from '../../domain/pool/tracked-pool.ts'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { ChainReader, Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { BootstrapState, SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import type { SourceReport } from '../enrich/source-report.ts'
import type { IndexerEvents } from '../events.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { headersOnlyFilter, isCanonical } from '../realtime/common-ancestor.ts'
import type { HeadCache } from '../realtime/head-cache.ts'
import { openDiscoveredPools } from '../scan/discovered-pools.ts'
import { areComplete, stepScans } from '../scan/log-scan.ts'
import type { IndexState } from '../state/index-state.ts'
import { loadPools } from '../state/load-pools.ts'
import { createOnFault } from '../sync-fault.ts'
import type { RejectedLogs } from '../verify/rejected-logs.ts'
import { buildSeedBatch } from './finish-bootstrap.ts'
import { type BootstrapRun, bootstrapProgress, createPhases } from './phases.ts'

export type BootstrapDeps = {
  readonly chain: ChainReader
  readonly heads: HeadCache
  readonly store: Store
  readonly index: IndexState
  readonly logger: Logger
  readonly events: IndexerEvents
  readonly report: SourceReport
  readonly refusedLogs: RejectedLogs
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly stateViewOf: (venue: Address) => Address | null
  /** All that may be a stock at this moment. */
  readonly stocks: () => readonly Address[]
  readonly trusted: readonly Address[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly historyDays: number
  /** A chain that is longer than this is not read block by block. */
  readonly blocksMin: number
  readonly onProgress: (progress: SyncProgressWithEvents) => void
}

export type Bootstrap = {
  /** One bounded piece of work; null once there is nothing to do. */
  readonly step: () => Promise<StepResult | null>
}

/** So young a state is still told by every node: they keep those of 1,000 blocks and more. */
const freshBlocks = 200
/** Two calls per pool: a few requests, and a step that shows in the progress. */
const poolsPerStateRead = 500
const again: StepResult = { waitMs: 0 }
/** They say nothing of whether the node still knows what it was asked for. */
const passingFaults: ReadonlySet<RpcFault['kind']> = new Set([
  'rate-limited',
  'timeout',
  'unreachable',
])

/** Null: what is in the store decides how it goes on. */
type Result = { readonly run: BootstrapRun | null; readonly fault?: RpcFault }

/** What a reading writes, and how one that was cut short is taken up. */
const createKeeping = (deps: BootstrapDeps) => {
  const { store, logger } = deps
  const bookDeps = { ...deps, onRefused: deps.refusedLogs.record }
  let steps = 0

  return {
    open: async (
      reading: BootstrapState | null,
    ): Promise<Pick<BootstrapRun, 'book' | 'stocks'>> => {
      steps = reading?.steps ?? 0
      if (reading === null)
        return { book: openDiscoveredPools(bookDeps, null), stocks: deps.stocks() }
      const pools: TrackedPool[] = []
      for await (const pool of loadPools(store)) pools.push(pool)
      deps.events.emit(
        'poolsDiscovered',
        pools.map(({ identity }) => identity),
      )
      logger.info('Goes on with the first reading', { pools: pools.length, ...reading.to })
      return {
        book: openDiscoveredPools(bookDeps, { reading, pools }),
        // One that was listed meanwhile is looked for once these are done.
        stocks: await store.snapshot((snapshot) => snapshot.discoveredStocks()),
      }
    },
    save: async (run: BootstrapRun): Promise<'committed' | 'stale-cursor'> => {
      const { book, stocks: discoveredStocks, to } = run
      const progress = bootstrapProgress(run)
      const changes = book.takeChanges()
      const batch = { expectedSteps: steps, to, progress, discoveredStocks, ...changes }
      const outcome = await store.commitBootstrap(batch)
      if (outcome === 'committed') steps += 1
      return outcome
    },
  }
}

/** The block up to which a reading goes, always on one and the same branch. */
const createReach = ({ chain, heads, store, confirmations }: BootstrapDeps) => {
  const confirmedBy = (told: Outcome<Heads, RpcFault>): Outcome<BlockNumber, RpcFault> =>
    told.ok ? success(told.value.latest.block - confirmations) : told

  /** Nothing that was found on another branch is worth keeping. */
  const dropped = async ({ block }: BlockRef): Promise<Outcome<never, RpcFault>> => {
    await store.resetIndex(null)
    const detail = `block ${block} was replaced after ${confirmations} confirmations`
    return failure({ kind: 'rejected', detail })
  }

  const checked = async (at: BlockRef): Promise<Outcome<BlockRef, RpcFault>> => {
    const standing = await isCanonical(chain, at)
    if (!standing.ok) return standing
    return standing.value ? success(at) : dropped(at)
  }

  return {
    checked,
    confirmed: async () => confirmedBy(await chain.getHeads()),
    /** As of a moment ago, for who only has to know where to begin. */
    confirmedLately: async () => confirmedBy(await heads.read()),
    /** On from the block that it went up to before; that one if the head did not move. */
    on: async (before: BlockRef, to: BlockNumber): Promise<Outcome<BlockRef, RpcFault>> => {
      if (to <= before.block) return checked(before)
      const above = await chain.readRange({ from: before.block + 1, to }, headersOnlyFilter)
      if (!above.ok) return above
      return above.value.parentHash === before.hash ? success(above.value.last) : dropped(before)
    },
  }
}

/** After a fault of the block that it goes up to: if that was replaced, nothing is left of it. */
const stopped = (current: BootstrapRun, fault: RpcFault): Result => ({
  run: fault.kind === 'rejected' ? null : current,
  fault,
})

const createCommit = (deps: BootstrapDeps, reach: ReturnType<typeof createReach>) => {
  const { store, index, events } = deps
  return async (current: BootstrapRun): Promise<Result> => {
    const pools = [...current.states.values()]
    const adoption = await buildSeedBatch({ ...current, pools }, deps)
    if (!adoption.ok) return { run: current, fault: adoption.fault }
    // Read after the states: they are those of the branch that still stands.
    const at = await reach.checked(current.to)
    if (!at.ok) return stopped(current, at.fault)
    const outcome = await store.seedPools(adoption.value)
    await index.load()
    if (outcome === 'committed') for (const pool of pools) events.emit('poolLoaded', pool)
    return { run: null }
  }
}

/**
 * The first reading of a long chain (methodology §8): pools by the indexed topics of their
 * creation, their liquidity maps by their own events, their states by asking them all at one
 * block. Then the index stands at that block, and following begins. What is found is stored step
 * by step, so that a reading that is cut short goes on from there; only states are asked for anew,
 * for they must all be of one block that a node still remembers.
 */
export const createBootstrap = (deps: BootstrapDeps): Bootstrap => {
  const { chain, store, index, logger, origin } = deps
  let events = 0
  let run: BootstrapRun | null = null
  let isNeedless = false
  const count = (logs: number): void => {
    events += logs
  }
  const stages = createPhases({ ...deps, count })
  const keeping = createKeeping(deps)
  const reach = createReach(deps)
  const commit = createCommit(deps, reach)
  const onFault = createOnFault(deps)

  const begin = async (): Promise<Result> => {
    const confirmed = await reach.confirmedLately()
    if (!confirmed.ok) return { run: null, fault: confirmed.fault }
    const kept = await store.readBootstrap()
    if (kept === null && confirmed.value - origin <= deps.blocksMin) {
      // Read block by block, which passes over no pool.
      await store.recordDiscoveredStocks(deps.stocks())
      isNeedless = true
      return { run: null }
    }
    const to = await (kept === null
      ? chain.getBlockRef(confirmed.value)
      : reach.on(kept.to, confirmed.value))
    if (!to.ok) return { run: null, fault: to.fault }
    const opened = await keeping.open(kept)
    return enter(stages.discover({ ...opened, to: to.value, states: new Map() }))
  }

  /** The blocks that were added meanwhile; none if the head stands. */
  const goOn = async (current: BootstrapRun, confirmed: BlockNumber): Promise<Result> => {
    const to = await reach.on(current.to, confirmed)
    if (to.ok) return enter(stages.discover({ ...current, to: to.value }))
    return stopped(current, to.fault)
  }

  const toStates = async (current: BootstrapRun): Promise<Result> => {
    const confirmed = await reach.confirmed()
    if (!confirmed.ok) return { run: current, fault: confirmed.fault }
    const isFresh = confirmed.value - current.to.block <= freshBlocks
    return isFresh ? { run: stages.state(current) } : goOn(current, confirmed.value)
  }

  /** Goes through the stages in which nothing is left to read. */
  const enter = async (current: BootstrapRun): Promise<Result> => {
    const { stage, sweeps } = current
    if (stage === 'state' || !areComplete(sweeps)) return { run: current }
    return stage === 'discover' ? enter(stages.liquidity(current)) : toStates(current)
  }

  const sweep = async (current: BootstrapRun): Promise<Result> => {
    const fault = await stepScans(current.sweeps)
    if ((await keeping.save(current)) === 'stale-cursor') {
      logger.warn('Another writer reads the chain for the first time; its work is taken up')
      return { run: null }
    }
    if (fault === null) return enter(current)
    // Nobody may be left who stands on the branch of the block that it goes up to.
    const at = fault.kind === 'behind' ? await reach.checked(current.to) : success(current.to)
    return at.ok ? { run: current, fault } : stopped(current, at.fault)
  }

  /** A node that has forgotten the block's states is asked for those of a newer one. */
  const renew = async (current: BootstrapRun, fault: RpcFault): Promise<Result> => {
    if (passingFaults.has(fault.kind)) return { run: current, fault }
    const confirmed = await reach.confirmed()
    const onward = confirmed.ok ? await goOn(current, confirmed.value) : { run: current }
    return { run: onward.run, fault }
  }

  const readState = async (current: BootstrapRun): Promise<Result> => {
    const { book, states, to } = current
    const pools = book.pools()
    const left = pools.filter(({ identity }) => !states.has(identity.number))
    const asked = left.slice(0, poolsPerStateRead)
    const identities = asked.map(({ identity }) => identity)
    const read = await readPoolStates(identities, to, deps)
    if (!read.ok) return renew(current, read.fault)
    for (const [position, pool] of asked.entries()) {
      const state = read.value[position] ?? null
      states.set(pool.identity.number, withOnchainState(pool, state))
    }
    await store.recordProgress(bootstrapProgress(current))
    if (states.size < pools.length) return { run: current }
    return commit(current)
  }

  const proceed = (current: BootstrapRun): Promise<Result> =>
    current.stage === 'state' ? readState(current) : sweep(current)

  const tell = (current: BootstrapRun): void =>
    deps.onProgress({ ...bootstrapProgress(current), events })

  /** Takes the reading up, and goes on with it at once. */
  const start = async (): Promise<Result> => {
    const begun = await begin()
    if (begun.run === null || begun.fault !== undefined) return begun
    tell(begun.run)
    return proceed(begun.run)
  }

  return {
    step: async () => {
      if (isNeedless || index.cursor() !== null) return null
      const current = run
      // Whatever is thrown on the way, the store says where to go on.
      run = null
      const result = await (current === null ? start() : proceed(current))
      run = result.run
      if (result.fault !== undefined) return onFault(result.fault)
      if (isNeedless) return null
      await deps.report.success()
      if (run !== null) tell(run)
      return again
    },
  }
}
