import { getProtocol } from '../domain/dex/find-protocol.ts'
import { computePoolAddress } from '../domain/dex/pool-id.ts'
import type { Protocol } from '../domain/dex/protocol.ts'
import type { Venue } from '../domain/dex/venue.ts'
import type { PoolView } from '../domain/views/pool.ts'
import { keccakOf } from './encoding/bytes.ts'

/** The venues that the reader's own network file names: the service names none. */
export type Venues = readonly Venue[]

type Key = Pick<PoolView, 'id' | 'version' | 'token0' | 'token1' | 'fee'>

/** The factory whose pool of this key has this address. */
const findFactory = (venues: Venues, key: Key): Venue | null => {
  const { id, token0, token1, fee } = key
  const found = venues.find(
    ({ address: factory, initCodeHash }) =>
      initCodeHash !== null &&
      computePoolAddress({ factory, initCodeHash, token0, token1, fee }, keccakOf) === id,
  )
  return found ?? null
}

/** The protocol of a published pool. */
export const protocolOf = ({ version }: Pick<PoolView, 'version'>): Protocol =>
  getProtocol(`uniswap-${version}`)

/** The venue of a pool; null if the network file does not decide it. */
export const findVenue = (venues: Venues, key: Key): Venue | null => {
  const { id, emitter } = protocolOf(key)
  if (emitter === 'pool') return findFactory(venues, key)
  const managers = venues.filter(({ protocol }) => protocol === id)
  const [manager, ...others] = managers
  return manager === undefined || others.length > 0 ? null : manager
}
