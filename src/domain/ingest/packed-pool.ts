import { createMemo } from '../memo.ts'
import {
  createPacker,
  createUnpacker,
  type Packed,
  type Packer,
  type Unpacker,
} from '../packing.ts'
import { type LiquidityMap, liquidityMapOf, ticksOfLiquidityMap } from '../pool/liquidity-map.ts'
import { readState, writeState } from '../pool/packed-state.ts'
import type { PoolIdentity } from '../pool/pool-state.ts'
import type { Address } from '../units.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** What the keeper of a packed pool knows of it anyway. */
export type PoolName = Pick<PoolIdentity, 'number' | 'id'>

/** Pools in a fifth of the room that their objects take. */
export type PoolPacking = {
  readonly pack: (pool: TrackedPool) => Packed
  readonly unpack: (packed: Packed, name: PoolName) => TrackedPool
}

const versions: readonly PoolIdentity['version'][] = ['v3', 'v4']

const valueAt = <T>(values: readonly T[], place: number): T => {
  const value = values[place]
  if (value === undefined) throw new Error(`a packed pool names value ${place} of a list`)
  return value
}

/** Venues and hooks: one stands behind many pools, which name it by its place in a list. */
type Contracts = {
  readonly placeOf: (address: Address) => number
  readonly at: (place: number) => Address
}

const createContracts = (): Contracts => {
  const addresses: Address[] = []
  const places = new Map<Address, number>()
  return {
    placeOf: (address) => {
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
  number(contracts.placeOf(venue))
  hex(key.token0)
  hex(key.token1)
  number(key.fee)
  number(key.tickSpacing)
  orNull(key.hooks, (hooks) => number(contracts.placeOf(hooks)))
  number(createdBlock)
  number(createdTs)
}

/** The tokens of pools that are unpacked again and again are one text each. */
const tokensMax = 4096
const sharedToken = createMemo(tokensMax, (token: Address) => token)

const unpackIdentity = (unpacker: Unpacker, name: PoolName, contracts: Contracts): PoolIdentity => {
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

const packMap = ({ number, bigint }: Packer, map: LiquidityMap): void => {
  number(map.ticks.length)
  for (const { tick, net, gross } of ticksOfLiquidityMap(map)) {
    number(tick)
    bigint(net)
    bigint(gross)
  }
}

const unpackMap = ({ number, bigint }: Unpacker): LiquidityMap => {
  const length = number()
  const ticks = Array.from({ length }, () => ({ tick: number(), net: bigint(), gross: bigint() }))
  const map = liquidityMapOf(ticks)
  if (!map.known) throw new Error(`a packed liquidity map: ${map.reason}`)
  return map.value
}

/** The order of packing is that of unpacking. */
export const createPoolPacking = (): PoolPacking => {
  const contracts = createContracts()
  const packer = createPacker()
  return {
    pack: ({ identity, state, map }) => {
      packIdentity(packer, identity, contracts)
      writeState(packer, state)
      packMap(packer, map)
      return packer.take()
    },
    unpack: (packed, name) => {
      const unpacker = createUnpacker(packed)
      return {
        identity: unpackIdentity(unpacker, name, contracts),
        state: readState(unpacker),
        map: unpackMap(unpacker),
      }
    },
  }
}
