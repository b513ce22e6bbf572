import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Address, Hash, PoolId } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import { bitsOf, mappingSlot, slotAfter, slotAt } from './slots.ts'

/** Where a pool's state stands: a contract and its slots. */
export type PoolSlots = {
  readonly address: Address
  readonly slot0: Hash
  readonly liquidity: Hash
  /** Mappings of the ticks, and of the bitmap of those that have liquidity. */
  readonly ticks: Hash
  readonly bitmap: Hash
}

export const poolSlotsOf = (
  pool: Pick<PoolView, 'protocol'> & {
    readonly id: PoolId
    /** The contract of a singleton's pools. */
    readonly venue: Address
  },
): PoolSlots => {
  const { emitter, storage } = getProtocol(pool.protocol)
  const first = storage.pools === null ? slotAt(0n) : mappingSlot(pool.id, slotAt(storage.pools))
  return {
    address: emitter === 'pool' ? pool.id : pool.venue,
    slot0: slotAfter(first, storage.slot0),
    liquidity: slotAfter(first, storage.liquidity),
    ticks: slotAfter(first, storage.ticks),
    bitmap: slotAfter(first, storage.bitmap),
  }
}

/** The slot of a signed key: a negative number is sign-extended to a word. */
export const signedSlot = (mapping: Hash, key: number): Hash =>
  mappingSlot(slotAt(BigInt.asUintN(256, BigInt(key))), mapping)

/** All protocols pack √price into the lowest 160 bits and the tick into the 24 bits above. */
export const unpackSlot0 = (
  word: Hash,
): { readonly sqrtPriceX96: bigint; readonly tick: number } => ({
  sqrtPriceX96: bitsOf(word, 0, 160),
  tick: Number(BigInt.asIntN(24, bitsOf(word, 160, 24))),
})

/** The lowest 128 bits, whatever is packed above. */
export const unpackLiquidity = (word: Hash): bigint => bitsOf(word, 0, 128)
