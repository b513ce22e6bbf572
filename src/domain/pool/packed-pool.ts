import { protocols } from '../dex/registry.ts'
import { createMemo } from '../memo.ts'
import {
  createPacker,
  createUnpacker,
  type Packed,
  type Packer,
  type Unpacker,
} from '../packing.ts'
import type { Address } from '../units.ts'
import { type PoolIdentity, type PoolState, type ReserveFault, zeroAmounts } from './pool-state.ts'
import { buildTickMap, listTicks, type TickMap } from './tick-map.ts'
import type { TrackedPool } from './tracked-pool.ts'

const valueAt = <T>(values: readonly T[], place: number): T => {
  const value = values[place]
  if (value === undefined) throw new Error(`packed pool refers to missing value ${place} of a list`)
  return value
}

const versions = protocols.map(({ version }) => version)
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

/** Stored beside the packed pool. */
type PoolHandle = Pick<PoolIdentity, 'number' | 'id'>

/** Packs pools into a fifth of their memory. */
export type PoolPacking = {
  readonly pack: (pool: TrackedPool) => Packed
  readonly unpack: (packed: Packed, name: PoolHandle) => TrackedPool
}

/** Venues and hooks are shared by many pools, which refer to them by index. */
type Contracts = {
  readonly indexOf: (address: Address) => number
  readonly at: (place: number) => Address
}

const createContracts = (): Contracts => {
  const addresses: Address[] = []
  const places = new Map<Address, number>()
  return {
    indexOf: (address) => {
      const place = places.get(address) ?? addresses.push(address) - 1
      places.set(address, place)
      return place
    },
    at: (place) => valueAt(addresses, place),
  }
}

const packIdentity = (packer: Packer, identity: PoolIdentity, contracts: Contracts): void => {
  const { number, hex, orNull } = packer
  const { version, venue, key, createdBlock, createdTs } = identity
  number(versions.indexOf(version))
  number(contracts.indexOf(venue))
  hex(key.token0)
  hex(key.token1)
  number(key.fee)
  number(key.tickSpacing)
  orNull(key.hooks, (hooks) => number(contracts.indexOf(hooks)))
  number(createdBlock)
  number(createdTs)
}

/** Shares one string per token between unpacked pools. */
const tokensMax = 4096
const sharedToken = createMemo(tokensMax, (token: Address) => token)

const unpackIdentity = (
  unpacker: Unpacker,
  name: PoolHandle,
  contracts: Contracts,
): PoolIdentity => {
  const { number, hex, orNull } = unpacker
  return {
    number: name.number,
    id: name.id,
    version: valueAt(versions, number()),
    venue: contracts.at(number()),
    key: {
      token0: sharedToken(hex()),
      token1: sharedToken(hex()),
      fee: number(),
      tickSpacing: number(),
      hooks: orNull(() => contracts.at(number())),
    },
    createdBlock: number(),
    createdTs: number(),
  }
}

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

/** Fields are unpacked in the order in which they were packed. */
export const createPoolPacking = (): PoolPacking => {
  const contracts = createContracts()
  const packer = createPacker()
  return {
    pack: ({ identity, state, tickMap }) => {
      packIdentity(packer, identity, contracts)
      encodeState(packer, state)
      packMap(packer, tickMap)
      return packer.take()
    },
    unpack: (packed, name) => {
      const unpacker = createUnpacker(packed)
      return {
        identity: unpackIdentity(unpacker, name, contracts),
        state: decodeState(unpacker),
        tickMap: unpackMap(unpacker),
      }
    },
  }
}
