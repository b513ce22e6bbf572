import type { Venue, Venues } from '../../../src/domain/dex/venue.ts'
import { factory, initCodeHash, manager } from './sample-pool.ts'

const none = {
  startBlock: 1,
  initCodeHash: null,
  poolDeployer: null,
  poolImplementation: null,
  stateView: null,
}

export const v3Venue: Venue = {
  ...none,
  address: factory,
  protocol: 'uniswap-v3',
  name: 'Uniswap v3',
  initCodeHash,
}

export const v4Venue: Venue = {
  ...none,
  address: manager,
  protocol: 'uniswap-v4',
  name: 'Uniswap v4',
}

export const venuesOf = (...venues: readonly Venue[]): Venues =>
  new Map(venues.map((venue) => [venue.address, venue]))

/** The venues without those of a protocol. */
export const withoutProtocol = (venues: Venues, protocol: string): Venues =>
  venuesOf(...[...venues.values()].filter((venue) => venue.protocol !== protocol))

export const startingAt = (startBlock: number, venues: Venues): Venues =>
  venuesOf(...[...venues.values()].map((venue) => ({ ...venue, startBlock })))
