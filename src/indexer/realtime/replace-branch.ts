import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { eventLine } from '../../domain/chain/event-digest.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import { poolEventsFromRows } from '../../domain/ingest/pool-events.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { openCandlesAt, poolAtBlock } from '../../domain/pool/pool-at-block.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader, Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgress } from '../../ports/store-batches.ts'
import type { AncestorState, IndexState } from '../state/index-state.ts'
import type { ReplayPool } from '../verify/replay-pool.ts'
import { readHashOnBranch } from './common-ancestor.ts'
import { readLinkedRanges } from './read-linked-ranges.ts'

/** The chain's heads at a moment, and how far reading is by them once it has come to a block. */
export type HeadContext = {
  readonly heads: Heads
  readonly backfillAt: (to: BlockNumber) => SyncProgress
}

/** What takes the place of everything above an ancestor, as it was read. */
type Branch = {
  readonly logs: readonly ChainLog[]
  readonly to: BlockRef
  readonly witnesses: number
}

export type ReplaceBranchOptions = {
  readonly ancestor: BlockRef | null
  readonly epoch: number
  /** The last block that the new branch should reach. */
  readonly to: BlockNumber
  readonly head: BlockRef
  readonly backfillAt: (to: BlockNumber) => SyncProgress
  /** Differences that are the reason; 0 for a reorganisation. */
  readonly repairs: number
}

export type BranchReplacer = {
  /** Reads the chain's branch above an ancestor whole, then puts it in the place of ours. */
  readonly replace: (
    from: ReplaceBranchOptions,
  ) => Promise<Outcome<'committed' | 'stale-cursor' | 'below-finalized', RpcFault>>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexState
  readonly relive: ReplayPool
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  /** Logs of a branch that is taken at once. */
  readonly logsMax?: number
}

/**
 * About 100 MB. A longer branch is taken in part: the index then stands on a block of the new
 * branch as if it had never seen another, and following reads the rest. What was held above that
 * block goes untold, but only after all that was held below it was told again.
 */
const branchLogsMax = 100_000
/** A branch without events in the place of one with events must be told so often. */
const emptyTellingsMin = 3
/** No pool has more swaps than this in one day; beyond it the open buckets would miss some. */
const swapsMax = 1_000_000

const behind = (detail: string): { readonly ok: false; readonly fault: RpcFault } =>
  failure({ kind: 'behind', detail })

/** Its ranges chain from the ancestor on: they are one branch, whatever happens meanwhile. */
const createBranchRead =
  ({ chain, topics, origin, logsMax = branchLogsMax }: Deps) =>
  async (ancestor: BlockRef | null, to: BlockNumber): Promise<Outcome<Branch, RpcFault>> => {
    const logs: ChainLog[] = []
    let witnesses = Number.POSITIVE_INFINITY
    const read = await readLinkedRanges({
      span: { from: ancestor === null ? origin : ancestor.block + 1, to },
      ...(ancestor === null ? {} : { after: ancestor.hash }),
      blocksFirst: rangeBlocksFirst,
      read: (range) => chain.readRangeCrossChecked(range, { topics: [topics] }),
      take: (answer) => {
        for (const log of answer.logs) logs.push(log)
        witnesses = Math.min(witnesses, answer.endpointsAgreed)
        return logs.length < logsMax
      },
    })
    if (!read.ok) return read
    return read.value === null
      ? behind(`no block above ${to} is known yet`)
      : success({ logs, to: read.value, witnesses })
  }

/** The pools that the old branch touched, as they were at the ancestor. */
const createRestore = ({ store, index, relive }: Deps) => {
  const poolAt = async (pool: TrackedPool, ancestor: BlockRef) => {
    const { number } = pool.identity
    const past = await store.readPoolHistory(number, ancestor.block)
    const known = poolAtBlock(pool, past, ancestor.block)
    if (known !== null) return success({ pool: known, past, pricedTs: null })
    const life = await relive(pool.identity, ancestor)
    return life.ok ? success({ ...life.value, past }) : life
  }

  const restore = async (pool: TrackedPool, ancestor: BlockRef) => {
    const at = await poolAt(pool, ancestor)
    if (!at.ok) return at
    const { past, pricedTs } = at.value
    const fromTs = bucketStart(ancestor.ts, secondsPerDay)
    const query = { pool: pool.identity.number, fromTs, rowsMax: swapsMax }
    const newestFirst = await store.snapshot((snapshot) => snapshot.swaps(query))
    const swaps = newestFirst.filter(({ block }) => block <= ancestor.block).toReversed()
    const changedTs = past.changes.findLast(({ block }) => block <= ancestor.block)?.ts ?? null
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
      const done = await restore(pool, ancestor)
      if (!done.ok) return done
      restored.push(done.value)
    }
    return success(restored)
  }
}

/**
 * What speaks against deleting what we hold. An event that was seen in a block is in that block
 * for ever: a node that leaves it out while the block stands has forgotten it, or never knew.
 */
const createDoubt = ({ chain, store, index }: Deps) => {
  let emptyTellings = 0

  return async (ancestor: BlockRef | null, branch: Branch): Promise<RpcFault | null> => {
    const told = index.eventsOf(branch.logs)
    const rows = await store.readEvents({ from: (ancestor?.block ?? -1) + 1, to: branch.to.block })
    const held = poolEventsFromRows(rows, index.pools().idOf)
    emptyTellings = told.length === 0 && held.length > 0 ? emptyTellings + 1 : 0
    if (branch.witnesses > 1) return null
    const lines = new Set(told.map(eventLine))
    const untold = held.filter((event) => !lines.has(eventLine(event)))
    const first = Math.min(...untold.map(({ at }) => at.block))
    const at = untold.find((event) => event.at.block === first)?.at
    if (at === undefined) return null
    const now = await readHashOnBranch(chain, branch.to, at.block)
    if (!now.ok) return now.fault
    if (now.value === at.blockHash) {
      const detail = `a node left out events of block ${at.block} that we have seen there`
      return { kind: 'behind', detail }
    }
    if (emptyTellings === 0 || emptyTellings >= emptyTellingsMin) return null
    return { kind: 'behind', detail: 'a new branch without any event is read again' }
  }
}

export const createBranchReplacer = (deps: Deps): BranchReplacer => {
  const readBranch = createBranchRead(deps)
  const restore = createRestore(deps)
  const doubt = createDoubt(deps)
  return {
    replace: async ({ ancestor, epoch, to, head, backfillAt, repairs }) => {
      const branch = await readBranch(ancestor, to)
      if (!branch.ok) return branch
      const doubted = await doubt(ancestor, branch.value)
      if (doubted !== null) return failure(doubted)
      const restored = await restore(ancestor)
      if (!restored.ok) return restored
      const { logs, to: reached } = branch.value
      const at = { to: reached, head, backfill: backfillAt(reached.block) }
      const from = { ancestor, epoch, restored: restored.value, repairs }
      return success(await deps.index.replace(logs, at, from))
    },
  }
}
