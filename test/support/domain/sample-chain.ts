import type { BlockRef } from '../../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../../src/domain/chain/log.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../../../src/domain/units.ts'

/** What a contract emits, before it has a place on the chain. */
export type RawLog = Pick<ChainLog, 'address' | 'topics' | 'data'>

export type SampleBlock = { readonly blockRef: BlockRef; readonly logs: readonly ChainLog[] }

/** A hash that contains the block and its branch. */
export const sampleHash = (block: BlockNumber, branch = 0): Hash =>
  `0x${branch.toString(16).padStart(32, 'b')}${block.toString(16).padStart(32, '0')}`

const txHashOf = (block: BlockNumber, logIndex: number): Hash =>
  `0x${'c'.repeat(16)}${block.toString(16).padStart(32, '0')}${String(logIndex).padStart(16, '0')}`

/**
 * A chain by hand: `emit` puts a log into the block under way, `mine` ends that block.
 *
 *     emit(a) emit(b) mine()   emit(c) mine(5)
 *     [ block 100: a, b ]      [ block 101, 5 s later: c ]
 */
export const createSampleChain = (
  start: { readonly block: BlockNumber; readonly ts: UnixSeconds } = {
    block: 100,
    ts: 1_800_000_000,
  },
) => {
  const blocks: SampleBlock[] = []
  let pending: RawLog[] = []
  let ts = start.ts

  return {
    emit: (log: RawLog): void => {
      pending.push(log)
    },
    /** Ends the block under way, so many seconds after the one before. */
    mine: (seconds = 1): BlockRef => {
      const block = start.block + blocks.length
      ts += seconds
      const anchor = { block, hash: sampleHash(block), ts }
      const logs = pending.map((log, logIndex) => ({
        ...log,
        block,
        blockHash: anchor.hash,
        ts,
        txHash: txHashOf(block, logIndex),
        txIndex: logIndex,
        logIndex,
      }))
      blocks.push({ blockRef: anchor, logs })
      pending = []
      return anchor
    },
    blocks: (): readonly SampleBlock[] => blocks,
    logs: (): readonly ChainLog[] => blocks.flatMap((block) => block.logs),
    /** The time of the last block. */
    ts: (): UnixSeconds => ts,
  }
}

export type SampleChain = ReturnType<typeof createSampleChain>
