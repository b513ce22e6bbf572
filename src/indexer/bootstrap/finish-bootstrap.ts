import type { Anchor } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { standingCandles } from '../../domain/series/candles.ts'
import type { Address } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { Adoption } from '../../ports/store-batches.ts'
import { backfillOfHistory, findHistoryFloor } from '../backfill/backfill-window.ts'

/**
 * What an empty store takes in at the end of a first reading, with every pool's state at `to`, and
 * how far its past is to reach.
 */
export const firstAdoption = async (
  known: {
    readonly to: Anchor
    readonly stocks: readonly Address[]
    readonly pools: readonly TrackedPool[]
  },
  deps: Parameters<typeof findHistoryFloor>[0],
): Promise<Outcome<Adoption, RpcFault>> => {
  const { to, stocks, pools } = known
  const floor = await findHistoryFloor(deps, to)
  if (!floor.ok) return floor
  const heads = await deps.chain.heads()
  if (!heads.ok) return heads
  const history = { after: to, floor: floor.value, top: to.block, poolMax: pools.length }
  return success({
    before: null,
    at: to,
    head: heads.value.latest,
    backfill: backfillOfHistory(history),
    history,
    searched: stocks,
    blocks: [],
    // They and their ticks are in since they were found.
    pools: [],
    ticks: [],
    states: pools.map(({ identity, state }) => ({ pool: identity.number, state })),
    swaps: [],
    liquidity: [],
    // From here on it is known how they stood, traded or not.
    candles: pools.flatMap((pool) => standingCandles(pool, to.ts)),
    references: [],
  })
}
