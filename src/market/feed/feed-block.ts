import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
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

const firstUnreadPool = ({ pools }: ReadModel, sinceTs: UnixSeconds): BlockNumber => {
  const isWaiting = ({ createdTs, token0, token1 }: ListedPool) =>
    createdTs >= sinceTs && (isUnread(token0) || isUnread(token1))
  let first = Number.POSITIVE_INFINITY
  for (const pool of iterateValues(pools)) {
    if (isWaiting(pool)) first = Math.min(first, pool.createdBlock)
  }
  return first
}

/**
 * The settled block, or an earlier one before which everything is known: the traders of swaps and
 * the decimals of new tokens are read after their block.
 */
export const readFeedBlock = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  now: UnixSeconds,
): Promise<TimedBlock | null> => {
  const settled = model.header.finalizedCursor
  if (settled === null) return null
  const fromTs = now - waitSeconds
  const toBlock = settled.block
  const untraded = await snapshot.firstWithoutTrader({ fromTs, toBlock })
  const awaited = Math.min(untraded ?? Number.POSITIVE_INFINITY, firstUnreadPool(model, fromTs))
  if (awaited > settled.block) return { block: settled.block, ts: settled.ts }
  return snapshot.timedBlock(awaited - 1)
}
