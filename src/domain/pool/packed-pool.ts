import {
  createPacker,
  createUnpacker,
  type Packed,
  type Packer,
  type Unpacker,
} from '../packing.ts'
import { type PoolState, type ReserveFault, zeroAmounts } from './pool-state.ts'
import { buildTickMap, listTicks, type TickMap } from './tick-map.ts'
import type { TrackedPool } from './tracked-pool.ts'

const valueAt = <T>(values: readonly T[], place: number): T => {
  const value = values[place]
  if (value === undefined) throw new Error(`packed pool refers to missing value ${place} of a list`)
  return value
}

const mapFaults: readonly (ReserveFault | null)[] = [
  null,
  'index_gap',
  'hook_custom_accounting',
  'reserve_short',
]

/** Most pools have no depth: its form is packed together with the fault and takes no byte. */
const depthForms = ['none', 'amounts', 'unknown'] as const

const depthFormOf = ({ depth }: PoolState): (typeof depthForms)[number] => {
  if (depth === null) return 'unknown'
  return depth.amount0 === 0n && depth.amount1 === 0n ? 'none' : 'amounts'
}

const encodeState = ({ number, bigint, orNull }: Packer, state: PoolState): void => {
  const depthForm = depthFormOf(state)
  orNull(state.price, ({ sqrtPriceX96, tick }) => {
    bigint(sqrtPriceX96)
    number(tick)
  })
  bigint(state.liquidity)
  orNull(state.reserves, ({ amount0, amount1 }) => {
    bigint(amount0)
    bigint(amount1)
  })
  number(mapFaults.indexOf(state.mapFault) * depthForms.length + depthForms.indexOf(depthForm))
  if (depthForm === 'amounts' && state.depth !== null) {
    bigint(state.depth.amount0)
    bigint(state.depth.amount1)
  }
  orNull(state.lastSwapTs, number)
  orNull(state.lastSwapBlock, number)
  orNull(state.lastSwapFee, number)
}

const decodeDepth = (
  { bigint }: Unpacker,
  form: (typeof depthForms)[number],
): PoolState['depth'] => {
  if (form === 'unknown') return null
  return form === 'none' ? zeroAmounts : { amount0: bigint(), amount1: bigint() }
}

const decodeState = (unpacker: Unpacker): PoolState => {
  const { number, bigint, orNull } = unpacker
  const price = orNull(() => ({ sqrtPriceX96: bigint(), tick: number() }))
  const liquidity = bigint()
  const reserves = orNull(() => ({ amount0: bigint(), amount1: bigint() }))
  const code = number()
  return {
    price,
    liquidity,
    reserves,
    depth: decodeDepth(unpacker, valueAt(depthForms, code % depthForms.length)),
    mapFault: valueAt(mapFaults, Math.floor(code / depthForms.length)),
    lastSwapTs: orNull(number),
    lastSwapBlock: orNull(number),
    lastSwapFee: orNull(number),
  }
}

const statePacker = createPacker()

/** Packs a state into a third of its memory, for rarely read pools. Equal states pack equally. */
export const packState = (state: PoolState): Packed => {
  encodeState(statePacker, state)
  return statePacker.take()
}

export const unpackState = (packed: Packed): PoolState => decodeState(createUnpacker(packed))

const packMap = ({ number, bigint }: Packer, map: TickMap): void => {
  number(map.ticks.length)
  for (const { tick, net, gross } of listTicks(map)) {
    number(tick)
    bigint(net)
    bigint(gross)
  }
}

const unpackMap = ({ number, bigint }: Unpacker): TickMap => {
  const length = number()
  const ticks = Array.from({ length }, () => ({ tick: number(), net: bigint(), gross: bigint() }))
  const map = buildTickMap(ticks)
  if (!map.known) throw new Error(`packed tick map is invalid: ${map.reason}`)
  return map.value
}

/** Packs what changes in a pool. */
export const packStateAndMap = ({
  state,
  tickMap,
}: Pick<TrackedPool, 'state' | 'tickMap'>): Packed => {
  encodeState(statePacker, state)
  packMap(statePacker, tickMap)
  return statePacker.take()
}

/** Fields are unpacked in the order in which they were packed. */
export const unpackStateAndMap = (packed: Packed): Pick<TrackedPool, 'state' | 'tickMap'> => {
  const unpacker = createUnpacker(packed)
  return { state: decodeState(unpacker), tickMap: unpackMap(unpacker) }
}
