import { nextTimeProbe } from '../domain/chain/block-by-time.ts'
import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import { bucketStart } from '../domain/series/series-range.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { BlockNumber, UnixSeconds } from '../domain/units.ts'
import type { ChainReader, RpcFault } from '../ports/chain-reader.ts'
import type { BackfillCursor, SyncProgress } from '../ports/store-batches.ts'

type WindowDeps = {
  readonly chain: ChainReader
  readonly origin: BlockNumber
  readonly historyDays: number
}

/** Complete days, so that a day whose swaps are counted again still has all of them. */
export const keptSinceTs = (nowTs: UnixSeconds, historyDays: number): UnixSeconds =>
  bucketStart(nowTs - historyDays * secondsPerDay, secondsPerDay)

/** The first block of the last `historyDays` days before `top`, or one up to a minute older. */
export const findFirstBackfillBlock = async (
  { chain, origin, historyDays }: WindowDeps,
  top: BlockRef,
): Promise<Outcome<BlockNumber, RpcFault>> => {
  const ts = top.ts - historyDays * secondsPerDay
  // Block 0 has no parent, whose hash ends the backfill.
  const first = await chain.getBlockRef(Math.max(1, origin))
  if (!first.ok) return first
  if (first.value.ts >= ts) return success(first.value.block)
  let [low, high] = [first.value, top]
  for (let tries = 0; ; tries++) {
    const probe = nextTimeProbe(low, high, { ts, tries })
    if (probe === null) return success(low.block)
    const found = await chain.getBlockRef(probe)
    if (!found.ok) return found
    if (found.value.ts < ts) low = found.value
    else high = found.value
  }
}

export const isBackfillUnfinished = ({ completeAfter, firstBlock }: BackfillCursor): boolean =>
  completeAfter.block >= firstBlock

/** The backfill's progress in blocks. */
export const backfillProgress = (cursor: BackfillCursor): SyncProgress => {
  const { completeAfter, firstBlock, startedAt } = cursor
  const total = startedAt - firstBlock + 1
  const left = Math.max(0, completeAfter.block - firstBlock + 1)
  return { phase: left === 0 ? 'done' : 'swaps', done: total - left, total }
}
