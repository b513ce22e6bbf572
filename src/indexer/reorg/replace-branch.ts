import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { eventLine } from '../../domain/chain/event-digest.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import { asLogged, poolEventsFromRows } from '../../domain/ingest/pool-events.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { openCandlesAt, poolAtBlock } from '../../domain/pool/pool-at-block.ts'
import { type TrackedPool, withUnloggedState } from '../../domain/pool/tracked-pool.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader, Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgress } from '../../ports/store-batches.ts'
import type { AncestorState } from '../state/ancestor-pools.ts'
import type { IndexState } from '../state/index-state.ts'
import { readHashOnBranch } from './common-ancestor.ts'
import { readLinkedRanges } from './read-linked-ranges.ts'
import type { ReplayPool } from './replay-pool.ts'

/** The heads of one step, and the sync progress that a cursor at `to` means by them. */
export type HeadContext = {
  readonly heads: Heads
  readonly progressAt: (to: BlockNumber) => SyncProgress
}

/** The new branch above an ancestor. */
type Branch = {
  readonly logs: readonly ChainLog[]
  readonly to: BlockRef
  readonly endpointsAgreed: number
}

export type ReplaceBranchOptions = {
  /** Null: everything from the origin is replaced. */
  readonly ancestor: BlockRef | null
  readonly epoch: number
  /** Last block of the new branch. */
  readonly lastBlock: BlockNumber
  readonly head: BlockRef
  readonly progressAt: (to: BlockNumber) => SyncProgress
  /** Differences that a finality check found; 0 for a reorg. */
  readonly repairs: number
}

export type BranchReplacer = {
  /** Reads the branch above an ancestor completely, then replaces the indexed one with it. */
  readonly replace: (
    options: ReplaceBranchOptions,
  ) => Promise<Outcome<Awaited<ReturnType<IndexState['replaceBranch']>>, RpcFault>>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexState
  readonly replayPool: ReplayPool
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  /** Most logs of one branch replacement. */
  readonly logsMax?: number
}

/**
 * About 100 MB. Of a longer branch the first part is committed and realtime sync reads the rest.
 * Events above it are not re-announced until the lower ones are.
 */
const branchLogsMax = 100_000
/** A branch without events replaces one with events only after this many equal reads. */
const emptyReadsMin = 3
/** More than the swaps of any pool in one day; the open candles need all of them. */
const swapsMax = 1_000_000

const behind = (detail: string): { readonly ok: false; readonly fault: RpcFault } =>
  failure({ kind: 'behind', detail })

/** The ranges link from the ancestor on, so they are of one branch whatever the chain does. */
const createBranchRead =
  ({ chain, topics, origin, logsMax = branchLogsMax }: Deps) =>
  async (ancestor: BlockRef | null, to: BlockNumber): Promise<Outcome<Branch, RpcFault>> => {
    const logs: ChainLog[] = []
    let endpointsAgreed = Number.POSITIVE_INFINITY
    const read = await readLinkedRanges({
      range: { from: ancestor === null ? origin : ancestor.block + 1, to },
      ...(ancestor === null ? {} : { parentHash: ancestor.hash }),
      blocksFirst: rangeBlocksFirst,
      read: (range) => chain.readRangeCrossChecked(range, { topics: [topics] }),
      onRange: (answer) => {
        for (const log of answer.logs) logs.push(log)
        endpointsAgreed = Math.min(endpointsAgreed, answer.endpointsAgreed)
        return logs.length < logsMax
      },
    })
    if (!read.ok) return read
    return read.value === null
      ? behind(`no block above ${to} is known yet`)
      : success({ logs, to: read.value, endpointsAgreed })
  }

/** Restores the pools that the old branch changed to their state at the ancestor. */
const createRestore = ({ store, index, replayPool }: Deps) => {
  const poolAt = async (pool: TrackedPool, ancestor: BlockRef) => {
    const history = await store.readPoolHistory(pool.identity.number, ancestor.block)
    const rewound = poolAtBlock(pool, history, ancestor.block)
    if (rewound !== null) return success({ pool: rewound, history, firstPricedTs: null })
    const replay = await replayPool(pool.identity, ancestor)
    if (!replay.ok) return replay
    return success({ ...replay.value, pool: withUnloggedState(replay.value.pool, pool), history })
  }

  const restore = async (pool: TrackedPool, ancestor: BlockRef) => {
    const at = await poolAt(pool, ancestor)
    if (!at.ok) return at
    const { history, firstPricedTs: pricedTs } = at.value
    const fromTs = bucketStart(ancestor.ts, secondsPerDay)
    const query = { pool: pool.identity.number, fromTs, rowsMax: swapsMax }
    const newestFirst = await store.snapshot((snapshot) => snapshot.swaps(query))
    const swaps = newestFirst.filter(({ block }) => block <= ancestor.block).toReversed()
    const changedTs = history.changes.findLast(({ block }) => block <= ancestor.block)?.ts ?? null
    const candles = openCandlesAt(at.value.pool, ancestor, { swaps, changedTs, pricedTs })
    return success({ pool: at.value.pool, candles })
  }

  return async (
    ancestor: BlockRef | null,
  ): Promise<Outcome<AncestorState['restored'], RpcFault>> => {
    const restored: AncestorState['restored'][number][] = []
    if (ancestor === null) return success(restored)
    for (const number of await store.readPoolsChangedAfter(ancestor)) {
      const pool = index.pools().byNumber(number)
      if (pool === undefined || pool.identity.createdBlock > ancestor.block) continue
      const result = await restore(pool, ancestor)
      if (!result.ok) return result
      restored.push(result.value)
    }
    return success(restored)
  }
}

/**
 * Reasons not to delete indexed events. A block's events never change, so an endpoint that omits
 * one while the block is canonical has lost it or never had it.
 */
const createOmissionCheck = ({ chain, store, index }: Deps) => {
  let emptyReads = 0

  return async (ancestor: BlockRef | null, branch: Branch): Promise<RpcFault | null> => {
    const events = index.decodeEvents(branch.logs)
    const rows = await store.readEvents({ from: (ancestor?.block ?? -1) + 1, to: branch.to.block })
    const stored = asLogged(poolEventsFromRows(rows, index.pools().idOf), index.pools().identityOf)
    emptyReads = events.length === 0 && stored.length > 0 ? emptyReads + 1 : 0
    if (branch.endpointsAgreed > 1) return null
    const lines = new Set(events.map(eventLine))
    const missing = stored.filter((event) => !lines.has(eventLine(event))).map(({ at }) => at)
    const firstBlock = Math.min(...missing.map(({ block }) => block))
    const first = missing.find(({ block }) => block === firstBlock)
    if (first === undefined) return null
    const current = await readHashOnBranch(chain, branch.to, first.block)
    if (!current.ok) return current.fault
    if (current.value === first.blockHash) {
      const detail = `endpoint omitted events of block ${first.block} that were indexed before`
      return { kind: 'behind', detail }
    }
    if (emptyReads === 0 || emptyReads >= emptyReadsMin) return null
    return { kind: 'behind', detail: 'new branch has no events, reading it again' }
  }
}

export const createBranchReplacer = (deps: Deps): BranchReplacer => {
  const readBranch = createBranchRead(deps)
  const restore = createRestore(deps)
  const findOmission = createOmissionCheck(deps)
  return {
    replace: async ({ ancestor, epoch, lastBlock, head, progressAt, repairs }) => {
      const branch = await readBranch(ancestor, lastBlock)
      if (!branch.ok) return branch
      const omission = await findOmission(ancestor, branch.value)
      if (omission !== null) return failure(omission)
      const restored = await restore(ancestor)
      if (!restored.ok) return restored
      const { logs, to } = branch.value
      const end = { to, head, progress: progressAt(to.block) }
      const from = { ancestor, epoch, restored: restored.value, repairs }
      return success(await deps.index.replaceBranch(logs, end, from))
    },
  }
}
