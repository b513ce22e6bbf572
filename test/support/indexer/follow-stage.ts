import { failure, type Outcome, success } from '../../../src/domain/outcome.ts'
import type { BlockNumber } from '../../../src/domain/units.ts'
import { createHeadFollower } from '../../../src/indexer/realtime/follow-head.ts'
import { createHeadCache } from '../../../src/indexer/realtime/head-cache.ts'
import type { HeadContext } from '../../../src/indexer/reorg/replace-branch.ts'
import type { RangeEnd } from '../../../src/indexer/state/index-state.ts'
import type { FinalityCheckResult } from '../../../src/indexer/verify/finality-check.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  ChainReader,
  RpcFault,
} from '../../../src/ports/chain-reader.ts'
import type { Store } from '../../../src/ports/store.ts'
import { sampleHash } from '../domain/sample-chain.ts'
import { createJournal } from './journal.ts'

const notAsked = () => {
  throw new Error('unexpected call')
}

/** Only the number of logs matters here. */
const logsOf = (count: number) => Array.from({ length: count }, () => ({}) as never)

const pollMs = 3000

/**
 * A head follower between a fake endpoint and a fake index: `asked` lists the requests in order,
 * `taken` the ingested ranges. Responses can be delayed.
 */
export const createFollowerHarness = (given: {
  readonly latest: BlockNumber
  readonly confirmations?: number
  readonly logsPerBlock?: number
  /** Default 1. */
  readonly rangesPerStep?: number
}) => {
  const { confirmations = 0, logsPerBlock = 0 } = given
  const node = {
    latest: given.latest,
    /** The branch of a block, which may depend on the request. */
    branchOf: (_block: BlockNumber, _question: string): number => 0,
    faultOf: (_question: string, _range?: BlockRange): RpcFault | null => null,
    /** Responses to ranges wait for this. */
    hold: (_range: BlockRange): Promise<void> => Promise.resolve(),
    nowTs: 1000,
    /** Block of the finalized cursor, on the first branch. */
    settled: 1,
  }
  const asked: string[] = []
  const taken: string[] = []
  const reported: (string | null)[] = []
  const heads: number[] = []
  const finality: { outcome: FinalityCheckResult; readonly at: number[] } = {
    outcome: { kind: 'idle' },
    at: [],
  }
  let indexed: { block: number; hash: `0x${string}`; ts: number } | null = null
  let isStale = false

  const hashAt = (block: BlockNumber, question: string) =>
    sampleHash(block, node.branchOf(block, question))

  const answer = async <T>(
    question: string,
    value: () => T,
    range?: BlockRange,
  ): Promise<Outcome<T, RpcFault>> => {
    asked.push(range === undefined ? question : `${range.from}-${range.to}`)
    const fault = node.faultOf(question, range)
    const outcome = fault === null ? success(value()) : failure(fault)
    if (range !== undefined) await node.hold(range)
    return outcome
  }

  const chain: ChainReader = {
    chainId: notAsked,
    callContracts: notAsked,
    getStorageAt: notAsked,
    readRangeCrossChecked: notAsked,
    getHeads: () =>
      answer('heads', () => {
        const block = node.latest
        const latest = { block, hash: hashAt(block, 'heads'), ts: block }
        return { latest, finalized: { block: 0, hash: hashAt(0, 'heads'), ts: 0 } }
      }),
    getBlockRef: (block) =>
      answer('anchor', () => ({ block, hash: hashAt(block, 'anchor'), ts: block })),
    readRange: (range) => {
      const text = `${range.from}-${range.to}`
      const read = (): BlockRangeLogs => ({
        logs: logsOf((range.to - range.from + 1) * logsPerBlock),
        parentHash: hashAt(range.from - 1, text),
        last: { block: range.to, hash: hashAt(range.to, text), ts: range.to },
      })
      return answer(text, read, range)
    },
  }

  const store = {
    recordHead: async ({ block }) => void heads.push(block),
    snapshot: async () => {
      const { settled: block } = node
      return { epoch: 0, finalizedCursor: { block, hash: sampleHash(block), ts: block } } as never
    },
    readBlockAtOrBelow: async () => null,
  } as Partial<Store> as Store

  const advance = async (_: unknown, { to, head }: RangeEnd) => {
    if (isStale) {
      isStale = false
      return 'stale-cursor' as const
    }
    taken.push(`${(indexed?.block ?? 0) + 1}-${to.block}`)
    heads.push(head.block)
    indexed = { ...to }
    return 'committed' as const
  }

  const journal = createJournal()
  const follower = createHeadFollower({
    chain,
    heads: createHeadCache({ chain, clock: { now: () => node.nowTs }, pollMs }),
    store,
    logger: journal.logger,
    report: {
      success: async (lack = null) => void reported.push(lack),
      failure: async (error) => void reported.push(error),
    },
    index: {
      cursor: () => indexed,
      ingestRange: advance,
      flush: async () => 'committed',
      pools: notAsked,
      windows: notAsked,
      addPools: notAsked,
      decodeEvents: notAsked,
      load: notAsked,
      replaceBranch: notAsked,
      reset: notAsked,
    },
    branches: {
      replace: async ({ ancestor, lastBlock: to }) => {
        taken.push(`branch ${(ancestor?.block ?? 0) + 1}-${to}`)
        indexed = { block: to, hash: hashAt(to, 'anchor'), ts: to }
        return success('committed')
      },
    },
    finalityChecker: {
      checkNextRange: async (_: HeadContext) => {
        finality.at.push(indexed?.block ?? 0)
        return finality.outcome
      },
    },
    topics: [],
    origin: 1,
    confirmations,
    pollMs,
    rangesPerStep: given.rangesPerStep ?? 1,
    backfillProgress: async () => null,
    onProgress: () => {},
  })

  return {
    node,
    asked,
    taken,
    reported,
    /** The heads that the store recorded. */
    heads,
    finality,
    journal,
    step: follower.step,
    indexed: () => indexed,
    /** Sets the cursor. */
    standAt: (block: BlockNumber, branch = 0): void => {
      indexed = { block, hash: sampleHash(block, branch), ts: block }
    },
    moveByAnother: (): void => {
      isStale = true
    },
    /** Steps until the follower waits; returns the number of steps. */
    catchUp: async (stepsMax = 200): Promise<number> => {
      for (let steps = 1; steps <= stepsMax; steps++) {
        if ((await follower.step()).waitMs !== 0) return steps
      }
      throw new Error(`not there after ${stepsMax} steps`)
    },
  }
}

export type FollowerHarness = ReturnType<typeof createFollowerHarness>
