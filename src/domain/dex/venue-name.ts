import type { PoolIdentity } from '../pool/pool-state.ts'
import { getProtocol } from './find-protocol.ts'
import type { Venues } from './venue.ts'

/** The name of a pool's venue; that of its protocol if the network file names it no longer. */
export const venueNameOf = (
  { venue, protocol }: Pick<PoolIdentity, 'venue' | 'protocol'>,
  venues: Venues,
): string => venues.get(venue)?.name ?? getProtocol(protocol).name
