import { getProtocol } from '../domain/dex/find-protocol.ts'
import type { Venue } from '../domain/dex/venue.ts'
import { nativeAddress, type PoolId } from '../domain/units.ts'
import type { PoolView } from '../domain/views/pool.ts'
import { keccakOf } from './encoding/bytes.ts'

/** The venues that the reader's own network file names: the service names none. */
export type Venues = readonly Venue[]

/** What a pool's id follows from. */
export type PoolKeyView = Pick<
  PoolView,
  | 'id'
  | 'protocol'
  | 'token0'
  | 'token1'
  | 'fee'
  | 'tickSpacing'
  | 'hooks'
  | 'deployer'
  | 'parameters'
>

/** Stands for a singleton that the file does not name: its pools' ids follow from their keys. */
const anyVenue = {
  address: nativeAddress,
  initCodeHash: null,
  poolDeployer: null,
  poolImplementation: null,
}

/** The ids that follow from the pool's key at the venues of its protocol. */
export const computeIds = (
  venues: Venues,
  { protocol, deployer, ...rest }: PoolKeyView,
): readonly PoolId[] => {
  const { computeId } = getProtocol(protocol)
  const key = { ...rest, ...(deployer ? { deployer } : {}) }
  const own = venues.filter((venue) => venue.protocol === protocol)
  const ids = (own.length === 0 ? [anyVenue] : own).map((venue) => computeId(key, venue, keccakOf))
  return ids.filter((id) => id !== null)
}

/**
 * The venue of a pool; null if the network file does not decide it. The only singleton of a
 * protocol holds every pool of it, so a published key that is not the pool's hides none of its
 * logs.
 */
export const findVenue = (venues: Venues, key: PoolKeyView): Venue | null => {
  const own = venues.filter(({ protocol }) => protocol === key.protocol)
  const isSingleton = getProtocol(key.protocol).emitter === 'singleton'
  const [found, ...others] =
    isSingleton && own.length === 1
      ? own
      : own.filter((venue) => computeIds([venue], key).includes(key.id))
  return found === undefined || others.length > 0 ? null : found
}
