import type { Anchor } from '../../domain/chain/block-ref.ts'
import { standingCandles } from '../../domain/ingest/candles.ts'
import type { TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain.ts'
import type { Adoption, History } from '../../ports/store-rows.ts'
import { findHistoryFloor } from './history-floor.ts'

/** Every pool with its state at `to`. */
type Known = {
  readonly to: Anchor
  readonly stocks: readonly Address[]
  readonly pools: readonly TrackedPool[]
}

const adoptionOf = (
  { to, stocks, pools }: Known,
  { head, history }: { readonly head: Anchor; readonly history: History },
): Adoption => ({
  before: null,
  at: to,
  head,
  backfill: { phase: 'swaps', done: 0, total: history.top - history.floor + 1 },
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

/** What an empty store takes in at the end of a first reading, and how far its past is to reach. */
export const firstAdoption = async (
  known: Known,
  deps: {
    readonly chain: ChainReader
    readonly origin: BlockNumber
    readonly historyDays: number
  },
): Promise<Outcome<Adoption, RpcFault>> => {
  const { chain, origin, historyDays } = deps
  const { to, pools } = known
  const sinceTs = to.ts - historyDays * secondsPerDay
  const floor = await findHistoryFloor(chain, { origin, top: to }, sinceTs)
  if (!floor.ok) return floor
  const heads = await chain.heads()
  if (!heads.ok) return heads
  const poolMax = pools.length
  const history = { after: to, floor: floor.value, top: to.block, poolMax }
  return success(adoptionOf(known, { head: heads.value.latest, history }))
}
