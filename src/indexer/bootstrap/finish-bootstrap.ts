import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { flatCandlesAt } from '../../domain/series/candles.ts'
import type { Address } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { PoolSeedBatch } from '../../ports/store-batches.ts'
import { backfillProgress, findFirstBackfillBlock } from '../backfill/backfill-window.ts'

/**
 * What an empty store takes in at the end of a first reading, with every pool's state at `to`, and
 * how far its past is to reach.
 */
export const buildSeedBatch = async (
  known: {
    readonly to: BlockRef
    readonly stocks: readonly Address[]
    readonly pools: readonly TrackedPool[]
  },
  deps: Parameters<typeof findFirstBackfillBlock>[0],
): Promise<Outcome<PoolSeedBatch, RpcFault>> => {
  const { to, stocks, pools } = known
  const floor = await findFirstBackfillBlock(deps, to)
  if (!floor.ok) return floor
  const heads = await deps.chain.getHeads()
  if (!heads.ok) return heads
  const backfillCursor = {
    completeAfter: to,
    firstBlock: floor.value,
    startedAt: to.block,
    lastPoolNumber: pools.length,
  }
  return success({
    expectedCursor: null,
    at: to,
    head: heads.value.latest,
    progress: backfillProgress(backfillCursor),
    backfillCursor,
    discoveredStocks: stocks,
    blocks: [],
    // They and their ticks are in since they were found.
    pools: [],
    ticks: [],
    states: pools.map(({ identity, state }) => ({ pool: identity.number, state })),
    swaps: [],
    liquidity: [],
    // From here on it is known how they stood, traded or not.
    candles: pools.flatMap((pool) => flatCandlesAt(pool, to.ts)),
    references: [],
  })
}
