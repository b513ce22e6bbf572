import type { Anchor, ChainLog } from '../domain/chain/chain-log.ts'
import { planFollow } from '../domain/chain/plan.ts'
import { createRangeSize, rangeBlocksFirst } from '../domain/chain/range-size.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import type {
  Backfill,
  BlockRange,
  ChainReader,
  Heads,
  IndexProgress,
  Logger,
  RpcFault,
  StoreWriter,
} from '../ports.ts'
import type { StepResult } from './loop.ts'
import type { SourceReport } from './source-report.ts'

/** What following needs to know and to have done about the index. */
export type FollowedIndex = {
  readonly indexed: () => Anchor | null
  /** Folds a range's logs and commits them; throws nothing on bad logs. */
  readonly advance: (
    logs: readonly ChainLog[],
    reached: { readonly to: Anchor; readonly head: Anchor; readonly backfill: Backfill },
  ) => Promise<'committed' | 'stale-cursor'>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly logger: Logger
  readonly report: SourceReport
  readonly index: FollowedIndex
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly pollMs: number
  readonly onProgress: (progress: IndexProgress) => void
}

/** After a fault the next try waits this long unless the node said how long. */
const faultWaitMs = 1000
/** A node's own wish is believed from a second up to a minute. */
const retryAfterMinSeconds = 1
const retryAfterMaxSeconds = 60
/** Closer to the head than this the index counts as following, not as catching up. */
const followingBlocks = 2000

const textOf = (fault: RpcFault): string => `${fault.kind}: ${fault.detail}`

const waitMsOf = (fault: RpcFault): number => {
  if (fault.kind !== 'rate-limited' || fault.retryAfterSeconds === null) return faultWaitMs
  const seconds = Math.max(fault.retryAfterSeconds, retryAfterMinSeconds)
  return Math.min(seconds, retryAfterMaxSeconds) * 1000
}

export const createFollower = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { chain, store, logger, report, index, topics, origin, confirmations, pollMs } = deps
  const size = createRangeSize(rangeBlocksFirst)
  let events = 0

  const failed = async (fault: RpcFault): Promise<StepResult> => {
    await report.failure(textOf(fault))
    logger.warn('The chain could not be read', { kind: fault.kind, detail: fault.detail })
    return { waitMs: waitMsOf(fault) }
  }

  /** What speaks against the block that the index stands on (methodology §7); null: nothing. */
  const discontinuity = async (): Promise<RpcFault | null> => {
    const indexed = index.indexed()
    if (indexed === null) return null
    const now = await chain.anchor(indexed.block)
    if (!now.ok) return now.fault
    if (now.value.hash === indexed.hash) return null
    const detail = `block ${indexed.block} was replaced after ${confirmations} confirmations`
    return { kind: 'rejected', detail }
  }

  const backfillAt = (to: BlockNumber, heads: Heads): Backfill => {
    const total = Math.max(0, heads.latest.block - confirmations - origin + 1)
    const left = heads.latest.block - confirmations - to
    const phase = left > followingBlocks ? 'swaps' : 'done'
    return { phase, done: Math.max(0, total - Math.max(0, left)), total }
  }

  const read = async (range: BlockRange, heads: Heads): Promise<StepResult> => {
    const blocks = range.to - range.from + 1
    const to = await chain.anchor(range.to)
    if (!to.ok) return failed(to.fault)
    const logs = await chain.logs(range, { topics: [topics] })
    if (!logs.ok) {
      // One block can not be cut: then it is a fault like any other.
      if (logs.fault.kind !== 'range-too-large' || blocks === 1) return failed(logs.fault)
      size.refused(blocks, logs.fault.suggestedBlocks)
      return { waitMs: 0 }
    }
    const backfill = backfillAt(range.to, heads)
    const reached = { to: to.value, head: heads.latest, backfill }
    const outcome = await index.advance(logs.value, reached)
    if (outcome === 'stale-cursor') {
      logger.warn('Another writer moved the index; it is loaded anew')
      return { waitMs: faultWaitMs }
    }
    size.answered(blocks, logs.value.length)
    await report.success()
    events += logs.value.length
    deps.onProgress({ ...backfill, events })
    const isBehind = range.to < heads.latest.block - confirmations
    return { waitMs: isBehind ? 0 : pollMs }
  }

  const step = async (): Promise<StepResult> => {
    const heads = await chain.heads()
    if (!heads.ok) return failed(heads.fault)
    const indexed = index.indexed()?.block ?? null
    const latest = heads.value.latest.block
    const blocksMax = size.blocks()
    const plan = planFollow({ indexed, origin, latest, confirmations, blocksMax })
    if (plan.kind === 'wait') {
      await store.recordHead(heads.value.latest)
      await report.success()
      return { waitMs: pollMs }
    }
    const fault = await discontinuity()
    return fault === null ? read({ from: plan.from, to: plan.to }, heads.value) : failed(fault)
  }

  return { step }
}
