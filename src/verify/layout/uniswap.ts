import type { PoolVersion } from '../../domain/pool/pool-event.ts'
import type { Address, Hash, PoolId } from '../../domain/units.ts'
import { bitsOf, mappingSlot, slotAfter, slotAt } from './slots.ts'

/** Where a pool's price and liquidity stand: a contract and its two slots. */
export type PoolSlots = {
  readonly address: Address
  readonly slot0: Hash
  readonly liquidity: Hash
}

/** v3-core 1.0.1, UniswapV3Pool.sol: `slot0` is the first variable, `liquidity` the fifth. */
const v3Slot0 = slotAt(0n)
const v3Liquidity = slotAt(4n)

/** v4-core 1.0.2, StateLibrary.sol: `POOLS_SLOT` and `LIQUIDITY_OFFSET`. */
const v4Pools = slotAt(6n)
const v4LiquidityOffset = 3n

export const poolSlotsOf = (pool: {
  readonly id: PoolId
  readonly version: PoolVersion
  /** The PoolManager of a v4 pool. */
  readonly venue: Address
}): PoolSlots => {
  if (pool.version === 'v3') return { address: pool.id, slot0: v3Slot0, liquidity: v3Liquidity }
  const slot0 = mappingSlot(pool.id, v4Pools)
  return { address: pool.venue, slot0, liquidity: slotAfter(slot0, v4LiquidityOffset) }
}

/** Both versions pack √price into the lowest 160 bits and the tick into the 24 bits above. */
export const unpackSlot0 = (
  word: Hash,
): { readonly sqrtPriceX96: bigint; readonly tick: number } => ({
  sqrtPriceX96: bitsOf(word, 0, 160),
  tick: Number(BigInt.asIntN(24, bitsOf(word, 160, 24))),
})

/** In v3 the word holds nothing else; in v4 it is `Pool.State.liquidity`. */
export const unpackLiquidity = (word: Hash): bigint => bitsOf(word, 0, 128)
