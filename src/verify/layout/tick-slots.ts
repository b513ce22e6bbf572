import type { Hash, PoolId } from '../../domain/units.ts'
import { mappingSlot, slotAfter, slotAt } from './slots.ts'

/** Mappings of a pool's ticks and of the bitmap of those that have liquidity. */
export type TickMappings = { readonly ticks: Hash; readonly bitmap: Hash }

/** v3-core 1.0.1, UniswapV3Pool.sol: `ticks` is the sixth variable, `tickBitmap` the seventh. */
const v3Mappings: TickMappings = { ticks: slotAt(5n), bitmap: slotAt(6n) }

/** v4-core 1.0.2, StateLibrary.sol: `POOLS_SLOT`, `TICKS_OFFSET`, `TICK_BITMAP_OFFSET`. */
const v4Pools = slotAt(6n)
const v4TicksOffset = 4n
const v4BitmapOffset = 5n

export const tickMappingsOf = (pool: {
  readonly id: PoolId
  readonly version: 'v3' | 'v4'
}): TickMappings => {
  if (pool.version === 'v3') return v3Mappings
  const state = mappingSlot(pool.id, v4Pools)
  return { ticks: slotAfter(state, v4TicksOffset), bitmap: slotAfter(state, v4BitmapOffset) }
}

/** The slot of a signed key: a negative number is sign-extended to a word. */
export const signedSlot = (mapping: Hash, key: number): Hash =>
  mappingSlot(slotAt(BigInt.asUintN(256, BigInt(key))), mapping)
