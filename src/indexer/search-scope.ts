import type { Venues } from '../domain/dex/venue.ts'
import { isComplete, type PoolSearch } from '../domain/status/pool-search.ts'
import type { Address } from '../domain/units.ts'
import type { LogFilter } from '../ports/chain-reader.ts'
import { referenceCreationFilters, stockCreationFilters } from './pool-log-filters.ts'

/** A contract whose pools the index follows. */
export type SearchTarget = Omit<PoolSearch, 'done' | 'total'>

export const toCompleteSearch = (target: SearchTarget, blocks = 0): PoolSearch => ({
  ...target,
  done: blocks,
  total: blocks,
})

/** Whether pools of the target may be missing from a store with this row of it. */
export const isMissing = (target: SearchTarget, stored: PoolSearch | undefined): boolean =>
  stored === undefined ||
  !isComplete(stored) ||
  // The start of stocks and trusted tokens is that of the first venue, which is searched itself.
  (target.kind === 'venue' && target.fromBlock < stored.fromBlock)

const addressesOf = (
  targets: readonly SearchTarget[],
  kind: SearchTarget['kind'],
): readonly Address[] =>
  targets.filter((target) => target.kind === kind).map(({ address }) => address)

const restrictVenues = (venues: Venues, to: readonly Address[]): Venues =>
  new Map([...venues].filter(([address]) => to.includes(address)))

/**
 * Filters for the creation events of all pools that `missing` adds to the rest of the scope: in a
 * new venue those of every stock and of all trusted tokens, in the others those of what is new.
 */
export const creationFilters = (
  missing: readonly SearchTarget[],
  scope: readonly SearchTarget[],
  venues: Venues,
): readonly LogFilter[] => {
  const filtersIn = (
    places: readonly Address[],
    stocks: readonly Address[],
    trusted: readonly Address[],
  ): readonly LogFilter[] => {
    if (places.length === 0) return []
    const restricted = restrictVenues(venues, places)
    const references = trusted.length === 0 ? [] : referenceCreationFilters(restricted, trusted)
    return [...stockCreationFilters(restricted, stocks), ...references]
  }
  const trusted = addressesOf(scope, 'trusted')
  const newVenues = addressesOf(missing, 'venue')
  const oldVenues = addressesOf(scope, 'venue').filter((address) => !newVenues.includes(address))
  const hasNewTrusted = missing.some(({ kind }) => kind === 'trusted')
  return [
    ...filtersIn(newVenues, addressesOf(scope, 'stock'), trusted),
    ...filtersIn(oldVenues, addressesOf(missing, 'stock'), hasNewTrusted ? trusted : []),
  ]
}
