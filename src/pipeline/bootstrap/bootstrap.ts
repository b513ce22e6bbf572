import type { Anchor } from '../../domain/chain/chain-log.ts'
import type { Keccak256 } from '../../domain/dex/identity.ts'
import { standingCandles } from '../../domain/ingest/candles.ts'
import type { Venues } from '../../domain/ingest/recognise.ts'
import type { TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import { ticksOfLiquidityMap } from '../../domain/pool/liquidity-map.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Backfill, History, IndexProgress } from '../../ports/store-rows.ts'
import type { IndexBook } from '../index-book.ts'
import type { StepResult } from '../loop.ts'
import type { SourceReport } from '../source-report.ts'
import { createOnFault } from './faults.ts'
import {
  groupFilter,
  groupPools,
  referenceCreationFilters,
  stockCreationFilters,
} from './filters.ts'
import { createFoundPools, type FoundPools } from './found-pools.ts'
import { findHistoryFloor } from './history-floor.ts'
import { poolsPerStateRead, readStates } from './read-states.ts'
import { areOver, createSweep, progressOf, type Sweep, stepSweeps } from './sweep.ts'

export type BootstrapDeps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly index: IndexBook
  readonly logger: Logger
  readonly report: SourceReport
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
  readonly onFound: (pools: readonly PoolIdentity[]) => void
  /** The pools are in the store and in the index. */
  readonly onAdopted: (pools: readonly TrackedPool[]) => void
  readonly onProgress: (progress: IndexProgress) => void
}

export type Bootstrap = {
  /** One bounded piece of work; null once there is nothing to do. */
  readonly step: () => Promise<StepResult | null>
}

/** So young a state is still told by every node: they keep those of 1,000 blocks and more. */
const freshBlocks = 200
const secondsPerDay = 86_400
const again: StepResult = { waitMs: 0 }

type StateStage = {
  readonly kind: 'state'
  readonly pools: readonly TrackedPool[]
  /** Those of them whose states are known. */
  readonly read: readonly TrackedPool[]
  /** The block as it was before the first state was read. */
  readonly standing: { readonly ok: true; readonly value: Anchor } | null
}

type Stage =
  | { readonly kind: 'discover' | 'liquidity'; readonly sweeps: readonly Sweep[] }
  | StateStage

/** The reading under way: everything up to `to` is in once its sweeps are over. */
type Run = {
  readonly found: FoundPools
  readonly stocks: readonly Address[]
  readonly from: BlockNumber
  readonly to: BlockNumber
  readonly stage: Stage
}

/** Null: there is nothing left to read, or all of it anew. */
type Result = { readonly run: Run | null; readonly fault?: RpcFault }

const backfillOf = ({ stage }: Run): Backfill => {
  const { kind } = stage
  if (kind === 'state') return { phase: kind, done: stage.read.length, total: stage.pools.length }
  return { phase: kind, ...progressOf(stage.sweeps) }
}

/** How a reading goes from stage to stage. */
const createStages = (deps: BootstrapDeps, count: (logs: number) => void) => {
  const { chain, venues, trusted } = deps

  const discover = (
    run: Pick<Run, 'found' | 'stocks'>,
    from: BlockNumber,
    to: BlockNumber,
  ): Run => {
    const filters = [
      ...stockCreationFilters(venues, run.stocks),
      ...referenceCreationFilters(venues, trusted),
    ]
    const sweeps = filters.map((filter) =>
      createSweep(
        {
          filter,
          range: { from, to },
          times: true,
          take: (logs) => {
            count(logs.length)
            run.found.discover(logs)
          },
        },
        chain,
      ),
    )
    return { found: run.found, stocks: run.stocks, from, to, stage: { kind: 'discover', sweeps } }
  }

  const liquidity = (run: Run): Run => {
    const pools = run.found.identities()
    deps.onFound(pools)
    const sweeps = groupPools(pools).map((group) => {
      const born = group.pools[0]?.createdBlock ?? run.from
      const target = {
        filter: groupFilter(group, group.dex.liquidityTopics),
        range: { from: Math.max(run.from, born), to: run.to },
        times: false,
        take: (logs: Parameters<FoundPools['fold']>[0]) => {
          count(logs.length)
          run.found.fold(logs)
        },
      }
      return createSweep(target, chain)
    })
    return { ...run, stage: { kind: 'liquidity', sweeps } }
  }

  const state = (run: Run): Run => {
    const pools = run.found.numbered(1)
    return { ...run, stage: { kind: 'state', pools, read: [], standing: null } }
  }

  return { discover, liquidity, state }
}

const createCommit = (deps: BootstrapDeps) => {
  const { chain, store, index, origin, historyDays, confirmations } = deps

  const historyOf = async (top: Anchor, poolMax: number) => {
    const ts = top.ts - historyDays * secondsPerDay
    const floor = await findHistoryFloor(chain, { origin, top }, ts)
    if (!floor.ok) return floor
    const history: History = { after: top, floor: floor.value, top: top.block, poolMax }
    return { ok: true, value: history } as const
  }

  return async (run: Run, pools: readonly TrackedPool[], before: Anchor): Promise<Result> => {
    const history = await historyOf(before, pools.length)
    if (!history.ok) return { run, fault: history.fault }
    const { floor, top } = history.value
    const heads = await chain.heads()
    if (!heads.ok) return { run, fault: heads.fault }
    // Read after the states: they are those of the branch that still stands.
    const at = await chain.anchor(run.to)
    if (!at.ok) return { run, fault: at.fault }
    if (at.value.hash !== before.hash) {
      const detail = `block ${run.to} was replaced after ${confirmations} confirmations`
      return { run: null, fault: { kind: 'rejected', detail } }
    }
    await store.adopt({
      before: null,
      at: at.value,
      head: heads.value.latest,
      backfill: { phase: 'swaps', done: 0, total: top - floor + 1 },
      history: history.value,
      searched: run.stocks,
      blocks: [],
      pools: pools.map(({ identity }) => identity),
      states: pools.map(({ identity, state }) => ({ pool: identity.number, state })),
      ticks: pools.flatMap(({ identity, map }) =>
        ticksOfLiquidityMap(map).map((tick) => ({ pool: identity.number, ...tick })),
      ),
      swaps: [],
      liquidity: [],
      // From here on it is known how they stood, traded or not.
      candles: pools.flatMap((pool) => standingCandles(pool, before.ts)),
      references: [],
    })
    await index.load()
    deps.onAdopted(pools)
    return { run: null }
  }
}

/**
 * The first reading of a long chain (methodology §8): pools by the indexed topics of their
 * creation, their liquidity maps by their own events, their states by asking them all at one
 * block. Then the index stands at that block, and following begins. Nothing is stored before, so
 * that a reading that is cut short begins anew.
 */
export const createBootstrap = (deps: BootstrapDeps): Bootstrap => {
  const { chain, store, index, origin, confirmations } = deps
  let events = 0
  let run: Run | null = null
  let isNeedless = false
  const stages = createStages(deps, (logs) => {
    events += logs
  })
  const commit = createCommit(deps)
  const onFault = createOnFault(deps)

  const confirmed = async (): Promise<Outcome<BlockNumber, RpcFault>> => {
    const heads = await chain.heads()
    return heads.ok ? success(heads.value.latest.block - confirmations) : heads
  }

  /** The blocks that were added meanwhile; none if the head stands. */
  const goOn = (current: Run, to: BlockNumber): Run =>
    stages.discover(current, current.to + 1, Math.max(current.to, to))

  const sweep = async (current: Run, sweeps: readonly Sweep[]): Promise<Result> => {
    const fault = await stepSweeps(sweeps)
    if (fault !== null) return { run: current, fault }
    if (!areOver(sweeps)) return { run: current }
    if (current.stage.kind === 'discover') return { run: stages.liquidity(current) }
    const to = await confirmed()
    if (!to.ok) return { run: current, fault: to.fault }
    const isFresh = to.value - current.to <= freshBlocks
    return { run: isFresh ? stages.state(current) : goOn(current, to.value) }
  }

  const readState = async (current: Run, stage: StateStage): Promise<Result> => {
    const { pools, read } = stage
    const standing = stage.standing ?? (await chain.anchor(current.to))
    if (!standing.ok) return { run: current, fault: standing.fault }
    const some = pools.slice(read.length, read.length + poolsPerStateRead)
    const states = await readStates(some, current.to, deps)
    if (!states.ok) {
      // The node may have forgotten this block's states: the next try asks for newer ones.
      const to = await confirmed()
      return { run: to.ok ? goOn(current, to.value) : current, fault: states.fault }
    }
    const next = { ...stage, standing, read: [...read, ...states.value] }
    if (next.read.length < pools.length) return { run: { ...current, stage: next } }
    return commit(current, next.read, standing.value)
  }

  const begin = (to: BlockNumber): Run => {
    const onRefused = (reason: string) => deps.logger.warn('Refused a log', { reason })
    const found = createFoundPools({ ...deps, isKnown: () => false, onRefused })
    return stages.discover({ found, stocks: deps.stocks() }, origin, to)
  }

  /** Where to begin; null if the chain is read block by block, which passes over no pool. */
  const first = async (): Promise<Outcome<Run | null, RpcFault>> => {
    const to = await confirmed()
    if (!to.ok) return to
    if (to.value - origin > deps.blocksMin) return success(begin(to.value))
    await store.recordSearched(deps.stocks())
    return success(null)
  }

  const tell = async (backfill: Backfill): Promise<void> => {
    await store.recordBackfill(backfill)
    deps.onProgress({ ...backfill, events })
  }

  return {
    step: async () => {
      if (isNeedless || index.indexed() !== null) return null
      if (run === null) {
        const begun = await first()
        if (!begun.ok) return onFault(begun.fault)
        run = begun.value
        isNeedless = run === null
        if (run === null) return null
      }
      const { stage } = run
      const result = await (stage.kind === 'state'
        ? readState(run, stage)
        : sweep(run, stage.sweeps))
      run = result.run
      if (result.fault !== undefined) return onFault(result.fault)
      await deps.report.success()
      if (run !== null) await tell(backfillOf(run))
      return again
    },
  }
}
