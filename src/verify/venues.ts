import { computePoolAddress } from '../domain/dex/pool-id.ts'
import type { Address, Hash } from '../domain/units.ts'
import type { PoolView } from '../domain/views/pool.ts'
import { keccakOf } from './encoding/bytes.ts'

/** The deployments of Uniswap that the reader's own network file names: the service names none. */
export type Venues = {
  readonly factories: readonly { readonly factory: Address; readonly initCodeHash: Hash | null }[]
  readonly managers: readonly {
    readonly poolManager: Address
    readonly stateView: Address | null
  }[]
}

/** Where a pool lives; `stateView` is null in v3. */
export type Venue = { readonly address: Address; readonly stateView: Address | null }

type Key = Pick<PoolView, 'id' | 'version' | 'token0' | 'token1' | 'fee'>

/** The factory whose pool of this key has this address. */
const findFactory = ({ factories }: Venues, key: Key): Venue | null => {
  const { id, token0, token1, fee } = key
  const found = factories.find(
    ({ factory, initCodeHash }) =>
      initCodeHash !== null &&
      computePoolAddress({ factory, initCodeHash, token0, token1, fee }, keccakOf) === id,
  )
  return found === undefined ? null : { address: found.factory, stateView: null }
}

/** The venue of a pool; null if the network file does not decide it. */
export const findVenue = (venues: Venues, key: Key): Venue | null => {
  if (key.version === 'v3') return findFactory(venues, key)
  const [manager, ...others] = venues.managers
  return manager === undefined || others.length > 0
    ? null
    : { address: manager.poolManager, stateView: manager.stateView }
}
