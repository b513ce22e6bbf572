import { nextTimeProbe } from '../../domain/chain/block-by-time.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { BackfillCursor, SyncProgress } from '../../ports/store-batches.ts'

/** The first block of the days whose swaps are kept, or one that is at most a minute older. */
export const findFirstBackfillBlock = async (
  {
    chain,
    origin,
    historyDays,
  }: {
    readonly chain: ChainReader
    readonly origin: BlockNumber
    readonly historyDays: number
  },
  top: BlockRef,
): Promise<Outcome<BlockNumber, RpcFault>> => {
  const ts = top.ts - historyDays * secondsPerDay
  // Before it there is no block whose hash the history could end with.
  const first = await chain.getBlockRef(Math.max(1, origin))
  if (!first.ok) return first
  if (first.value.ts >= ts) return success(first.value.block)
  let [low, high] = [first.value, top]
  for (let tries = 0; ; tries++) {
    const probe = nextTimeProbe(low, high, { ts, tries })
    if (probe === null) return success(low.block)
    const anchor = await chain.getBlockRef(probe)
    if (!anchor.ok) return anchor
    if (anchor.value.ts < ts) low = anchor.value
    else high = anchor.value
  }
}

export const isUnfinished = ({ completeAfter, firstBlock }: BackfillCursor): boolean =>
  completeAfter.block >= firstBlock

/** How far the past is filled in, in blocks. */
export const backfillProgress = ({
  completeAfter,
  firstBlock,
  startedAt,
}: BackfillCursor): SyncProgress => {
  const total = startedAt - firstBlock + 1
  const left = Math.max(0, completeAfter.block - firstBlock + 1)
  return { phase: left === 0 ? 'done' : 'swaps', done: total - left, total }
}
