import {
  createPacker,
  createUnpacker,
  type Packed,
  type Packer,
  type Unpacker,
} from '../packing.ts'
import { type FeeOrigin, feesAtCreation, isSameFees } from './pool-fees.ts'
import { isSameSettings, settingsAtCreation } from './pool-settings.ts'
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

/** Fees of the creation take no byte of their own either. */
const feeForms = ['unknown', 'created', 'read'] as const

const feeFormOf = ({ fees }: PoolState, origin: FeeOrigin): (typeof feeForms)[number] => {
  if (fees === null) return 'unknown'
  const isCreated = fees.block === origin.createdBlock && isSameFees(fees, feesAtCreation(origin))
  return isCreated ? 'created' : 'read'
}

/** Nor do settings of the creation. */
const settingForms = ['unknown', 'created', 'changed'] as const

const settingFormOf = (
  { settings }: PoolState,
  origin: FeeOrigin,
): (typeof settingForms)[number] => {
  if (settings === null) return 'unknown'
  const isCreated =
    settings.block === origin.createdBlock && isSameSettings(settings, settingsAtCreation(origin))
  return isCreated ? 'created' : 'changed'
}

const encodeState = (
  { number, bigint, orNull }: Packer,
  state: PoolState,
  origin: FeeOrigin,
): void => {
  const depthForm = depthFormOf(state)
  const feeForm = feeFormOf(state, origin)
  const settingForm = settingFormOf(state, origin)
  orNull(state.price, ({ sqrtPriceX96, tick }) => {
    bigint(sqrtPriceX96)
    number(tick)
  })
  bigint(state.liquidity)
  orNull(state.reserves, ({ amount0, amount1 }) => {
    bigint(amount0)
    bigint(amount1)
  })
  const faultAndDepth =
    mapFaults.indexOf(state.mapFault) * depthForms.length + depthForms.indexOf(depthForm)
  const withFees = faultAndDepth * feeForms.length + feeForms.indexOf(feeForm)
  number(withFees * settingForms.length + settingForms.indexOf(settingForm))
  if (depthForm === 'amounts' && state.depth !== null) {
    bigint(state.depth.amount0)
    bigint(state.depth.amount1)
  }
  orNull(state.lastSwapTs, number)
  orNull(state.lastSwapBlock, number)
  orNull(state.lastSwapFee, number)
  if (feeForm === 'read' && state.fees !== null) {
    number(state.fees.lpFee)
    number(state.fees.protocolFee)
    number(state.fees.block)
  }
  if (settingForm === 'changed' && state.settings !== null) {
    number(state.settings.tickSpacing)
    number(state.settings.pluginConfig)
    number(state.settings.block)
  }
}

const decodeDepth = (
  { bigint }: Unpacker,
  form: (typeof depthForms)[number],
): PoolState['depth'] => {
  if (form === 'unknown') return null
  return form === 'none' ? zeroAmounts : { amount0: bigint(), amount1: bigint() }
}

const decodeFees = (
  { number }: Unpacker,
  form: (typeof feeForms)[number],
  origin: FeeOrigin,
): PoolState['fees'] => {
  if (form === 'unknown') return null
  if (form === 'created') return feesAtCreation(origin)
  return { lpFee: number(), protocolFee: number(), block: number() }
}

const decodeSettings = (
  { number }: Unpacker,
  form: (typeof settingForms)[number],
  origin: FeeOrigin,
): PoolState['settings'] => {
  if (form === 'unknown') return null
  if (form === 'created') return settingsAtCreation(origin)
  return { tickSpacing: number(), pluginConfig: number(), block: number() }
}

const decodeState = (unpacker: Unpacker, origin: FeeOrigin): PoolState => {
  const { number, bigint, orNull } = unpacker
  const price = orNull(() => ({ sqrtPriceX96: bigint(), tick: number() }))
  const liquidity = bigint()
  const reserves = orNull(() => ({ amount0: bigint(), amount1: bigint() }))
  const code = number()
  const withFees = Math.floor(code / settingForms.length)
  const faultAndDepth = Math.floor(withFees / feeForms.length)
  return {
    price,
    liquidity,
    reserves,
    depth: decodeDepth(unpacker, valueAt(depthForms, faultAndDepth % depthForms.length)),
    mapFault: valueAt(mapFaults, Math.floor(faultAndDepth / depthForms.length)),
    lastSwapTs: orNull(number),
    lastSwapBlock: orNull(number),
    lastSwapFee: orNull(number),
    fees: decodeFees(unpacker, valueAt(feeForms, withFees % feeForms.length), origin),
    settings: decodeSettings(unpacker, valueAt(settingForms, code % settingForms.length), origin),
  }
}

const statePacker = createPacker()

/** Packs a state into a third of its memory, for rarely read pools. Equal states pack equally. */
export const packState = (state: PoolState, origin: FeeOrigin): Packed => {
  encodeState(statePacker, state, origin)
  return statePacker.take()
}

/** `origin` is the one that the state was packed with. */
export const unpackState = (packed: Packed, origin: FeeOrigin): PoolState =>
  decodeState(createUnpacker(packed), origin)

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
export const packStateAndMap = ({ identity, state, tickMap }: TrackedPool): Packed => {
  encodeState(statePacker, state, identity)
  packMap(statePacker, tickMap)
  return statePacker.take()
}

/** Fields are unpacked in the order in which they were packed; `origin` is the packed one. */
export const unpackStateAndMap = (
  packed: Packed,
  origin: FeeOrigin,
): Pick<TrackedPool, 'state' | 'tickMap'> => {
  const unpacker = createUnpacker(packed)
  return { state: decodeState(unpacker, origin), tickMap: unpackMap(unpacker) }
}
