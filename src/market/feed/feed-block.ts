import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { iterateValues } from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { TokenInfo } from '../model/token-index.ts'

/** What is not known by then may never be: blocks wait no longer for it. */
const waitSeconds = 600

/** Neither read nor refused by the contract. */
const isUnread = ({ decimals }: TokenInfo): boolean =>
  !decimals.known && /-(not-read|unanswered)$/.test(decimals.reason)

const earlier = (one: TimedBlock | null, other: TimedBlock | null): TimedBlock | null =>
  one === null || (other !== null && other.block < one.block) ? other : one

const firstUnreadPool = ({ pools }: ReadModel, sinceTs: UnixSeconds): TimedBlock | null => {
  const isWaiting = ({ createdTs, token0, token1 }: ListedPool) =>
    createdTs >= sinceTs && (isUnread(token0) || isUnread(token1))
  let first: TimedBlock | null = null
  for (const pool of iterateValues(pools)) {
    const { createdBlock: block, createdTs: ts } = pool
    if (isWaiting(pool)) first = earlier(first, { block, ts })
  }
  return first
}

/**
 * The settled block, or the one before the first block of which something is not known yet: the
 * traders of swaps and the decimals of new tokens are read after their block. The time is that of
 * the block that waits, so that neither number ever falls.
 */
export const readFeedBlock = async (
  snapshot: StoreSnapshot,
  {
    model,
    now,
    hasTraders,
  }: { readonly model: ReadModel; readonly now: UnixSeconds; readonly hasTraders: boolean },
): Promise<TimedBlock | null> => {
  const settled = model.header.finalizedCursor
  if (settled === null) return null
  const fromTs = now - waitSeconds
  const swaps = { fromTs, toBlock: settled.block }
  const untraded = hasTraders ? await snapshot.firstWithoutTrader(swaps) : null
  const waiting = earlier(untraded, firstUnreadPool(model, fromTs))
  return waiting === null || waiting.block > settled.block
    ? { block: settled.block, ts: settled.ts }
    : { block: waiting.block - 1, ts: waiting.ts }
}
