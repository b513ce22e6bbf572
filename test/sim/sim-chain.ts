import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import type { Hash } from '../../src/domain/units.ts'
import { type RawLog, sampleHash } from '../support/domain/sample-chain.ts'
import {
  createStepPlayers,
  type PoolLifetimes,
  type PoolStep,
} from '../support/domain/sample-history.ts'
import type { SamplePool } from '../support/domain/sample-pool.ts'

/** What happens in a block, and how many seconds after the one before; zero is possible. */
export type SimStep = {
  readonly acts: readonly PoolStep[]
  readonly seconds: number
  /** Logs of contracts that no pool of ours is. */
  readonly foreign?: readonly RawLog[]
}

/** The block that every branch begins with. */
export const firstBlock = 100
export const firstTs = 1_800_000_000

/** A block of the tree, and through `line` all that came before it. */
export type SimBlock = {
  readonly anchor: BlockRef
  readonly parentHash: Hash
  readonly logs: readonly ChainLog[]
  /** The pools as the block leaves them. */
  readonly lives: PoolLifetimes
  readonly timeMs: number
  /** The branch that it lies on, from the first block on; may reach beyond the block. */
  readonly line: readonly SimBlock[]
}

/** The chain as one sees it whose head is some block of the tree. */
export type ChainView = {
  readonly head: () => number
  /** The newest finalized block; null if it is unknown. */
  readonly finalBlock: () => number | null
  readonly anchor: (block: number) => BlockRef | undefined
  readonly logs: (from: number, to: number) => readonly ChainLog[]
}

export const blockAt = (head: SimBlock, block: number): SimBlock | undefined =>
  block > head.anchor.block ? undefined : head.line[block - firstBlock]

/** A block and all before it, the first one first. */
export const lineOf = (head: SimBlock): readonly SimBlock[] =>
  head.line.slice(0, head.anchor.block - firstBlock + 1)

export const logsOf = (head: SimBlock, from: number, to: number): readonly ChainLog[] =>
  head.line
    .slice(Math.max(0, from - firstBlock), Math.min(to, head.anchor.block) - firstBlock + 1)
    .flatMap(({ logs }) => logs)

/** The pools as they are after a block, each able to return its state. */
export const poolsAfter = ({ lives }: SimBlock): readonly SamplePool[] =>
  createStepPlayers(() => {}, lives).pools({ all: true })

const placed = (logs: readonly RawLog[], anchor: BlockRef): readonly ChainLog[] =>
  logs.map((log, logIndex) => ({
    ...log,
    block: anchor.block,
    blockHash: anchor.hash,
    ts: anchor.ts,
    // A transaction may be on both sides of a fork: its hash names no branch.
    txHash: `0x${'c'.repeat(16)}${anchor.block.toString(16).padStart(32, '0')}${String(logIndex).padStart(16, '0')}`,
    txIndex: logIndex,
    logIndex,
  }))

/**
 * A tree of blocks of which one branch is the chain. `fork(2)` takes two blocks back; what grows
 * then is another life of the same pools.
 *
 *     100 --- 101 --- 102 --- 103
 *                 '-- x ----- y ----- z
 */
export const createSimChain = () => {
  const tree = new Map<Hash, SimBlock>()
  let head: SimBlock | null = null
  let branches = 0
  let finalBlock: number | null = null
  let peak = firstBlock
  let pending: RawLog[] = []
  /** The pools at the head, kept as long as the chain grows. */
  let players: ReturnType<typeof createStepPlayers> | null = null

  const grow = ({ acts, seconds, foreign = [] }: SimStep): SimBlock => {
    players ??= createStepPlayers((log) => pending.push(log), head?.lives)
    for (const act of acts) players.perform(act)
    const block = head === null ? firstBlock : head.anchor.block + 1
    const timeMs = (head?.timeMs ?? firstTs * 1000) + Math.round(seconds * 1000)
    const hash = sampleHash(block, branches)
    const anchor: BlockRef = { block, hash, ts: Math.floor(timeMs / 1000) }
    const isTip = head !== null && head.line.length === block - firstBlock
    const line: SimBlock[] = isTip ? (head?.line as SimBlock[]) : [...(head ? lineOf(head) : [])]
    const lives = acts.length === 0 && head !== null ? head.lives : players.lives()
    const parentHash = head?.anchor.hash ?? sampleHash(firstBlock - 1)
    const logs = placed([...pending, ...foreign], anchor)
    pending = []
    head = { anchor, parentHash, logs, lives, timeMs, line }
    line.push(head)
    tree.set(hash, head)
    peak = Math.max(peak, block)
    return head
  }

  const headBlock = (): SimBlock => {
    if (head === null) throw new Error('the chain has no block yet')
    return head
  }
  const isCanonical = ({ anchor }: SimBlock): boolean =>
    blockAt(headBlock(), anchor.block)?.anchor.hash === anchor.hash

  /** The chain up to `at()`; what is final is final only where it lies on that branch. */
  const viewOf = (at: () => SimBlock): ChainView => ({
    head: () => at().anchor.block,
    finalBlock: () => {
      if (finalBlock === null) return null
      const known = blockAt(at(), finalBlock)
      return known !== undefined && isCanonical(known) ? finalBlock : null
    },
    anchor: (block) => blockAt(at(), block)?.anchor,
    logs: (from, to) => logsOf(at(), from, to),
  })

  return {
    ...viewOf(headBlock),
    /** As final as any node may call it. */
    finalBlock: () => finalBlock,
    grow,
    /** Takes so many blocks back; never the first one. */
    fork: (depth: number): void => {
      const back = Math.max(firstBlock, headBlock().anchor.block - depth)
      head = blockAt(headBlock(), back) ?? headBlock()
      branches += 1
      players = null
    },
    finalise: (block: number): void => {
      finalBlock = Math.max(finalBlock ?? block, block)
    },
    headBlock,
    /** The highest block of any branch. */
    peak: () => peak,
    blocks: (): readonly SimBlock[] => (head === null ? [] : lineOf(head)),
    /** A block of any branch. */
    blockOf: (hash: Hash): SimBlock | undefined => tree.get(hash),
    isCanonical,
    viewOf,
  }
}

export type SimChain = ReturnType<typeof createSimChain>
