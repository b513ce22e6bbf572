import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { type TrackedPool, withOnchainState } from '../../domain/pool/tracked-pool.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { BootstrapState } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { stateAgeBlocksMax } from '../confirmed-block.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { headersOnlyFilter, isCanonical } from '../reorg/common-ancestor.ts'
import { openDiscoveredPools } from '../scan/discovered-pools.ts'
import { areComplete, stepScans } from '../scan/log-scan.ts'
import { toCompleteSearch } from '../search-scope.ts'
import { readTrackedPools } from '../state/load-pools.ts'
import { createFaultHandler } from '../sync-fault.ts'
import {
  type BootstrapDeps,
  type BootstrapRun,
  bootstrapProgress,
  buildSeedBatch,
  createPhases,
} from './phases.ts'

export type Bootstrap = {
  /** Runs one bounded step; null once there is nothing left to do. */
  readonly step: () => Promise<StepResult | null>
}

/** Two calls per pool: a few requests, and a step that shows in the progress. */
const poolsPerStateRead = 500
const immediately: StepResult = { waitMs: 0 }
/** Faults that do not show whether the node still has the requested states. */
const transientFaults: ReadonlySet<RpcFault['kind']> = new Set([
  'rate-limited',
  'timeout',
  'unreachable',
])

/** With `run: null` the next step continues from what the store holds. */
type Result = { readonly run: BootstrapRun | null; readonly fault?: RpcFault }

/** Stores the progress of a run, and opens a run from stored progress. */
const createCheckpoints = (deps: BootstrapDeps) => {
  const { store, logger, events } = deps
  const poolDeps = { ...deps, onRejected: deps.rejectedLogs.record }
  let steps = 0

  return {
    open: async (
      stored: BootstrapState | null,
    ): Promise<Pick<BootstrapRun, 'discovered' | 'searches'>> => {
      steps = stored?.steps ?? 0
      if (stored === null) {
        const searches = deps.scope().map((target) => toCompleteSearch(target))
        return { discovered: openDiscoveredPools(poolDeps, null), searches }
      }
      const pools: TrackedPool[] = []
      for await (const pool of readTrackedPools(store)) pools.push(pool)
      const identities = pools.map(({ identity }) => identity)
      events.emit('poolsDiscovered', identities)
      logger.info('Resuming bootstrap', { pools: pools.length, ...stored.to })
      return {
        discovered: openDiscoveredPools(poolDeps, { state: stored, pools }),
        // The pool search reads what was added since then.
        searches: await store.snapshot((snapshot) => snapshot.searches()),
      }
    },
    save: async (run: BootstrapRun): Promise<'committed' | 'stale-cursor'> => {
      const outcome = await store.commitBootstrap({
        expectedSteps: steps,
        to: run.to,
        progress: bootstrapProgress(run),
        searches: run.searches,
        ...run.discovered.takeChanges(),
      })
      if (outcome === 'committed') steps += 1
      return outcome
    },
  }
}

/** The block that a run reads up to; each later target extends the branch of the one before. */
const createTarget = ({ chain, heads, store, confirmations }: BootstrapDeps) => {
  const toConfirmed = (read: Outcome<Heads, RpcFault>): Outcome<BlockNumber, RpcFault> =>
    read.ok ? success(read.value.latest.block - confirmations) : read

  /** Nothing that was found on a replaced branch can be kept. */
  const resetAfterReorg = async ({ block }: BlockRef): Promise<Outcome<never, RpcFault>> => {
    await store.resetIndex(null)
    const detail = `block ${block} was replaced after ${confirmations} confirmations`
    return failure({ kind: 'rejected', detail })
  }

  const verify = async (at: BlockRef): Promise<Outcome<BlockRef, RpcFault>> => {
    const canonical = await isCanonical(chain, at)
    if (!canonical.ok) return canonical
    return canonical.value ? success(at) : resetAfterReorg(at)
  }

  return {
    verify,
    readConfirmed: async () => toConfirmed(await chain.getHeads()),
    /** From the head cache: precise enough to choose where to start. */
    readConfirmedCached: async () => toConfirmed(await heads.read()),
    /** The block `to` on the same branch; the current target if the head did not move. */
    extend: async (current: BlockRef, to: BlockNumber): Promise<Outcome<BlockRef, RpcFault>> => {
      if (to <= current.block) return verify(current)
      const above = await chain.readRange({ from: current.block + 1, to }, headersOnlyFilter)
      if (!above.ok) return above
      const isSameBranch = above.value.parentHash === current.hash
      return isSameBranch ? success(above.value.last) : resetAfterReorg(current)
    },
  }
}

/** After a fault of the target: a target that was replaced ends the run. */
const afterTargetFault = (current: BootstrapRun, fault: RpcFault): Result => ({
  run: fault.kind === 'rejected' ? null : current,
  fault,
})

/** Ends the bootstrap: the index continues at its target. */
const commit = async (
  current: BootstrapRun,
  target: ReturnType<typeof createTarget>,
  deps: BootstrapDeps,
): Promise<Result> => {
  const batch = await buildSeedBatch(current, deps)
  if (!batch.ok) return { run: current, fault: batch.fault }
  // Checked after the states are read: they are of this branch if it is canonical now.
  const to = await target.verify(current.to)
  if (!to.ok) return afterTargetFault(current, to.fault)
  const outcome = await deps.store.seedPools(batch.value)
  await deps.index.load()
  if (outcome === 'committed') {
    for (const pool of current.states.values()) deps.events.emit('poolLoaded', pool)
  }
  return { run: null }
}

/**
 * Loads a long chain for the first time (methodology §8): pools by the indexed topics of their
 * creation, tick maps by their liquidity events, states by calls at one block, which becomes the
 * cursor of realtime sync. Every step is stored, so an interrupted bootstrap resumes; only states
 * are read again, because all of them must be of one block that a node still remembers.
 */
export const createBootstrap = (deps: BootstrapDeps): Bootstrap => {
  const { chain, store, index, logger, origin } = deps
  let events = 0
  let run: BootstrapRun | null = null
  let isUnneeded = false
  const onLogCount = (logs: number): void => {
    events += logs
  }
  const phases = createPhases({ ...deps, onLogCount })
  const checkpoints = createCheckpoints(deps)
  const target = createTarget(deps)
  const onFault = createFaultHandler(deps)

  const open = async (): Promise<Result> => {
    const confirmed = await target.readConfirmedCached()
    if (!confirmed.ok) return { run: null, fault: confirmed.fault }
    const stored = await store.readBootstrap()
    if (stored === null && confirmed.value - origin <= deps.blocksMin) {
      // Realtime sync reads every block from the origin, so it misses no pool.
      await store.recordSearches(deps.scope().map((target) => toCompleteSearch(target)))
      isUnneeded = true
      return { run: null }
    }
    const to = await (stored === null
      ? chain.getBlockRef(confirmed.value)
      : target.extend(stored.to, confirmed.value))
    if (!to.ok) return { run: null, fault: to.fault }
    const opened = await checkpoints.open(stored)
    return advance(phases.enterDiscover({ ...opened, to: to.value, states: new Map() }))
  }

  /** Reads the blocks between the current target and a newer confirmed head. */
  const extend = async (current: BootstrapRun, confirmed: BlockNumber): Promise<Result> => {
    const to = await target.extend(current.to, confirmed)
    if (to.ok) return advance(phases.enterDiscover({ ...current, to: to.value }))
    return afterTargetFault(current, to.fault)
  }

  /** Passes over phases in which nothing is left to read. */
  const advance = async (current: BootstrapRun): Promise<Result> => {
    const { phase, scans } = current
    if (phase === 'state' || !areComplete(scans)) return { run: current }
    if (phase === 'discover') return advance(phases.enterLiquidity(current))
    const confirmed = await target.readConfirmed()
    if (!confirmed.ok) return { run: current, fault: confirmed.fault }
    const isRecent = confirmed.value - current.to.block <= stateAgeBlocksMax
    return isRecent ? { run: phases.enterState(current) } : extend(current, confirmed.value)
  }

  const scan = async (current: BootstrapRun): Promise<Result> => {
    const fault = await stepScans(current.scans)
    if ((await checkpoints.save(current)) === 'stale-cursor') {
      logger.warn('Another writer advanced the bootstrap, continuing from its state')
      return { run: null }
    }
    if (fault === null) return advance(current)
    // Every endpoint may have left the branch of the target.
    const to = fault.kind === 'behind' ? await target.verify(current.to) : success(current.to)
    return to.ok ? { run: current, fault } : afterTargetFault(current, to.fault)
  }

  /** Moves on to a newer block if the node has dropped the states of the target. */
  const afterStateFault = async (current: BootstrapRun, fault: RpcFault): Promise<Result> => {
    if (transientFaults.has(fault.kind)) return { run: current, fault }
    const confirmed = await target.readConfirmed()
    const extended = confirmed.ok ? await extend(current, confirmed.value) : { run: current }
    return { run: extended.run, fault }
  }

  const readStates = async (current: BootstrapRun): Promise<Result> => {
    const { discovered, states, to } = current
    const pools = discovered.all()
    const missing = pools.filter(({ identity }) => !states.has(identity.number))
    const requested = missing.slice(0, poolsPerStateRead)
    const identities = requested.map(({ identity }) => identity)
    const read = await readPoolStates(identities, to, deps)
    if (!read.ok) return afterStateFault(current, read.fault)
    for (const [position, pool] of requested.entries()) {
      states.set(
        pool.identity.number,
        withOnchainState(pool, read.value[position] ?? null, to.block),
      )
    }
    await store.recordProgress(bootstrapProgress(current))
    return states.size < pools.length ? { run: current } : commit(current, target, deps)
  }

  const proceed = (current: BootstrapRun): Promise<Result> =>
    current.phase === 'state' ? readStates(current) : scan(current)

  const reportProgress = (current: BootstrapRun): void =>
    deps.onProgress({ ...bootstrapProgress(current), events })

  const start = async (): Promise<Result> => {
    const opened = await open()
    if (opened.run === null || opened.fault !== undefined) return opened
    reportProgress(opened.run)
    return proceed(opened.run)
  }

  return {
    step: async () => {
      if (isUnneeded || index.cursor() !== null) return null
      const current = run
      // After an exception the next step continues from the store.
      run = null
      const result = await (current === null ? start() : proceed(current))
      run = result.run
      if (result.fault !== undefined) return onFault(result.fault)
      if (isUnneeded) return null
      await deps.report.success()
      if (run !== null) reportProgress(run)
      return immediately
    },
  }
}
