import type { Address } from '../units.ts'
import type { PoolKey } from './pool-event.ts'

/** The same text for the same address, so that it takes no room however many pools name it. */
type SharedAddresses = {
  readonly one: (address: Address) => Address
  readonly ofKey: (key: PoolKey) => PoolKey
}

export const createSharedAddresses = (): SharedAddresses => {
  const known = new Map<Address, Address>()
  const one = (address: Address): Address => {
    const same = known.get(address)
    if (same === undefined) known.set(address, address)
    return same ?? address
  }
  return {
    one,
    ofKey: ({ token0, token1, fee, tickSpacing, hooks }) => ({
      token0: one(token0),
      token1: one(token1),
      fee,
      tickSpacing,
      hooks: hooks === null ? null : one(hooks),
    }),
  }
}
