import type { ContractState } from '../dex/state-calls.ts'
import { activeLiquidityAt } from '../pool/liquidity-map.ts'
import { type PoolState, stateAtCreation } from '../pool/pool-state.ts'
import { type TrackedPool, withReserves } from './tracked-pool.ts'

/** Of a pool of which nothing is known but that it exists. */
export const stateUntold: PoolState = {
  ...stateAtCreation(null),
  reserves: null,
  mapFault: 'index_gap',
}

/**
 * A pool whose map was folded from its liquidity events, with the state that its contract tells at
 * the map's last block. A contract that does not tell, or tells another in-range liquidity than
 * the map, leaves the pool to be rebuilt (methodology §4, §8).
 */
export const withPresentState = (
  pool: TrackedPool,
  contract: ContractState | null,
): TrackedPool => {
  if (contract === null) return { ...pool, state: stateUntold }
  const { sqrtPriceX96, tick, liquidity } = contract
  const price = sqrtPriceX96 === 0n ? null : { sqrtPriceX96, tick }
  const isAgreed = price === null || activeLiquidityAt(pool.map, tick) === liquidity
  const mapFault = pool.state.mapFault ?? (isAgreed ? null : 'index_gap')
  return withReserves({ ...pool, state: { ...stateAtCreation(price), liquidity, mapFault } })
}
