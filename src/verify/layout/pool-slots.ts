import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Address, Hash, PoolId } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import { bitsOf, mappingSlot, slotAfter, slotAt } from './slots.ts'

/** Where a pool's state stands: a contract and its slots. */
export type PoolSlots = {
  readonly address: Address
  readonly slot0: Hash
  readonly liquidity: Hash
  /** Lowest bit of the liquidity in its word. */
  readonly liquidityBit: number
  /** Mapping of the ticks. */
  readonly ticks: Hash
  /** Mapping of the bitmap of ticks that have liquidity; null where ticks name the next one. */
  readonly bitmap: Hash | null
}

/** A pool and where its contract stands. */
export type PlacedPool = Pick<PoolView, 'protocol'> & {
  readonly id: PoolId
  /** The contract of a singleton's pools. */
  readonly venue: Address
  /** Of the venue, where builds of the contracts differ; null if it is not known. */
  readonly initCodeHash: Hash | null
}

const contractOf = ({ protocol, id, venue }: PlacedPool): Address =>
  getProtocol(protocol).emitter === 'pool' ? id : venue

/** Null if it is not known where this build of the contracts keeps its state. */
export const poolSlotsOf = (pool: PlacedPool): PoolSlots | null => {
  const { storage: own } = getProtocol(pool.protocol)
  const storage = typeof own === 'function' ? own(pool.initCodeHash) : own
  if (storage === null) return null
  const { pools, bitmap } = storage
  const first = pools === null ? slotAt(0n) : mappingSlot(pool.id, slotAt(pools))
  return {
    address: contractOf(pool),
    slot0: slotAfter(first, storage.slot0),
    liquidity: slotAfter(first, storage.liquidity),
    liquidityBit: storage.liquidityBit ?? 0,
    ticks: slotAfter(first, storage.ticks),
    bitmap: bitmap === null ? null : slotAfter(first, bitmap),
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

/** 128 bits, whatever is packed beside them. */
export const unpackLiquidity = (word: Hash, { liquidityBit }: PoolSlots): bigint =>
  bitsOf(word, liquidityBit, 128)
