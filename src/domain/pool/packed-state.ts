import {
  createPacker,
  createUnpacker,
  type Packed,
  type Packer,
  type Unpacker,
} from '../packing.ts'
import type { MapFault, PoolState } from './pool-state.ts'

const mapFaults: readonly MapFault[] = ['index_gap', 'hook_custom_accounting']

const faultAt = (place: number): MapFault => {
  const fault = mapFaults[place]
  if (fault === undefined) throw new Error(`a packed state names map fault ${place}`)
  return fault
}

/** The order of packing is that of `readState`. */
export const writeState = ({ number, bigint, orNull }: Packer, state: PoolState): void => {
  orNull(state.price, ({ sqrtPriceX96, tick }) => {
    bigint(sqrtPriceX96)
    number(tick)
  })
  bigint(state.liquidity)
  orNull(state.reserves, ({ amount0, amount1 }) => {
    bigint(amount0)
    bigint(amount1)
  })
  orNull(state.mapFault, (fault) => number(mapFaults.indexOf(fault)))
  orNull(state.lastSwapTs, number)
  orNull(state.lastSwapBlock, number)
  orNull(state.lastSwapFee, number)
}

export const readState = ({ number, bigint, orNull }: Unpacker): PoolState => ({
  price: orNull(() => ({ sqrtPriceX96: bigint(), tick: number() })),
  liquidity: bigint(),
  reserves: orNull(() => ({ amount0: bigint(), amount1: bigint() })),
  mapFault: orNull(() => faultAt(number())),
  lastSwapTs: orNull(number),
  lastSwapBlock: orNull(number),
  lastSwapFee: orNull(number),
})

/** States that are the same are the same text. */
export type PackedState = Packed

const packer = createPacker()

/** A state in a third of the room that its objects take: for pools that are seldom looked at. */
export const packState = (state: PoolState): PackedState => {
  writeState(packer, state)
  return packer.take()
}

export const unpackState = (packed: PackedState): PoolState => readState(createUnpacker(packed))
