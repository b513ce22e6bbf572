import type { Packed } from '../packing.ts'
import type { PoolId } from '../units.ts'
import { createByteChunks, offsetOf } from './byte-chunks.ts'
import { createIdentityPacking, type PackedIdentity } from './packed-identity.ts'
import { packState, packStateAndMap, unpackStateAndMap } from './packed-pool.ts'
import { type FeeOrigin, feesAtCreation } from './pool-fees.ts'
import { createPoolIds } from './pool-ids.ts'
import { settingsAtCreation } from './pool-settings.ts'
import { type PoolIdentity, type PoolNumber, stateAtCreation } from './pool-state.ts'
import { createTrackedPool, type TrackedPool } from './tracked-pool.ts'

/** Pools that are rarely read: some 70 bytes for each that is as it was created. */
export type PackedPools = {
  readonly has: (number: PoolNumber) => boolean
  /** Adds or replaces a pool. */
  readonly put: (pool: TrackedPool) => void
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly identityOf: (id: PoolId) => PoolIdentity | undefined
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  /** Ascending. */
  readonly numbers: () => IterableIterator<PoolNumber>
}

/** Numbers are dense, but the store's first may be any. */
const positionsPerSection = 1024

const createPositions = () => {
  const sections: (Uint32Array | undefined)[] = []
  const at = (number: PoolNumber): number =>
    sections[Math.floor(number / positionsPerSection)]?.[number % positionsPerSection] ?? 0
  return {
    at,
    set: (number: PoolNumber, position: number): void => {
      const index = Math.floor(number / positionsPerSection)
      const section = sections[index] ?? new Uint32Array(positionsPerSection)
      sections[index] = section
      section[number % positionsPerSection] = position
    },
    numbers: function* (): IterableIterator<PoolNumber> {
      for (const [index, section] of sections.entries()) {
        for (const [slot, position] of section?.entries() ?? []) {
          if (position !== 0) yield index * positionsPerSection + slot
        }
      }
    },
  }
}

/** States without a price at creation, packed; fees and settings of it are packed alike. */
const unpriced = new Map<string, Packed>()

const packedAtCreation = (origin: FeeOrigin): Packed => {
  const rules = { fees: feesAtCreation(origin), settings: settingsAtCreation(origin) }
  const key = `${rules.fees === null} ${rules.settings === null}`
  const packed = unpriced.get(key) ?? packState(stateAtCreation(null, rules), origin)
  unpriced.set(key, packed)
  return packed
}

const isAsCreated = ({ identity, state, tickMap }: TrackedPool): boolean => {
  if (tickMap.ticks.length > 0) return false
  return packState({ ...state, price: null }, identity) === packedAtCreation(identity)
}

const isSamePrice = (a: PackedIdentity['initial'], b: PackedIdentity['initial']): boolean =>
  a?.sqrtPriceX96 === b?.sqrtPriceX96 && a?.tick === b?.tick

/** `random` scatters the ids: numbers from 0 to below 1. */
export const createPackedPools = (random: () => number): PackedPools => {
  const identities = createIdentityPacking()
  const records = createByteChunks()
  /** Where the record of a number begins; 0 for none. */
  const positions = createPositions()
  const ids = createPoolIds(
    {
      chunkOf: (number) => records.chunkAt(positions.at(number)),
      offsetIn: (number) => offsetOf(positions.at(number)),
    },
    random,
  )
  /** State and tick map of the pools that are not as they were created. */
  const changed = new Map<PoolNumber, Packed>()

  const has = (number: PoolNumber): boolean => positions.at(number) !== 0

  const read = (number: PoolNumber): PackedIdentity | undefined => {
    const position = positions.at(number)
    if (position === 0) return undefined
    return identities.unpack(records.chunkAt(position), offsetOf(position), number)
  }

  const append = (pool: PackedIdentity): void => {
    const { number } = pool.identity
    positions.set(number, records.append(identities.pack(pool)))
  }

  const add = (pool: PackedIdentity): void => {
    append(pool)
    ids.add(pool.identity.id, pool.identity.number)
  }

  return {
    has,
    put: (pool) => {
      const { identity, state } = pool
      const { number } = identity
      if (!isAsCreated(pool)) {
        if (!has(number)) add({ identity, initial: null })
        changed.set(number, packStateAndMap(pool))
        return
      }
      const created = { identity, initial: state.price }
      const recorded = read(number)
      if (recorded === undefined) add(created)
      // Once in the life of a pool: v3 pools are initialized after their creation.
      else if (!isSamePrice(recorded.initial, state.price)) append(created)
      changed.delete(number)
    },
    byNumber: (number) => {
      const recorded = read(number)
      if (recorded === undefined) return undefined
      const packed = changed.get(number)
      if (packed === undefined) return createTrackedPool(recorded.identity, recorded.initial)
      return { identity: recorded.identity, ...unpackStateAndMap(packed, recorded.identity) }
    },
    identityOf: (id) => {
      const number = ids.numberOf(id)
      return number === undefined ? undefined : read(number)?.identity
    },
    numberOf: ids.numberOf,
    numbers: positions.numbers,
  }
}
