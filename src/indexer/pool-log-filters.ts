import { type CreationDecoder, type Protocol, poolTopicsOf } from '../domain/dex/protocol.ts'
import { protocols } from '../domain/dex/registry.ts'
import type { Venues } from '../domain/dex/venue.ts'
import type { PoolIdentity } from '../domain/pool/pool-state.ts'
import type { Address, Hash } from '../domain/units.ts'
import type { LogFilter } from '../ports/chain-reader.ts'
import { chunk } from '../util/chunk.ts'

/** Values of one topic or address list: a request of about 35 KB, which nodes still accept. */
const valuesMax = 500

const addressTopic = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

/** A topic filter that restricts each of these positions to the values. */
const topicsAt = (
  creationTopics: readonly Hash[],
  positions: readonly number[],
  values: readonly Hash[],
): LogFilter['topics'] => {
  const topics: (readonly Hash[] | null)[] = [creationTopics]
  for (let position = 1; position <= Math.max(...positions); position++) {
    topics.push(positions.includes(position) ? values : null)
  }
  return topics
}

const creations: readonly CreationDecoder[] = protocols.flatMap(({ creationEvents }) => [
  ...creationEvents.values(),
])

/** Their first topics, each once: forks share them. */
const topicsOfCreations = (some: readonly CreationDecoder[]): readonly Hash[] => [
  ...new Set(some.map(({ topic }) => topic)),
]

/**
 * Filters for the creation events of pools that hold one of the stocks: one per topic position,
 * because all positions of a filter must match (methodology §8).
 */
export const stockCreationFilters = (
  venues: Venues,
  stocks: readonly Address[],
): readonly LogFilter[] => {
  const addresses = [...venues.keys()]
  const positions = [...new Set(creations.flatMap(({ tokenTopics }) => tokenTopics))]
  return positions.flatMap((position) => {
    const own = creations.filter(({ tokenTopics }) => tokenTopics.includes(position))
    return chunk(stocks.map(addressTopic), valuesMax).map((values) => ({
      addresses,
      topics: topicsAt(topicsOfCreations(own), [position], values),
    }))
  })
}

/** Filters for the creation events of pools between two trusted tokens: the reference pools. */
export const referenceCreationFilters = (
  venues: Venues,
  trusted: readonly Address[],
): readonly LogFilter[] =>
  // One filter matches all creation logs that have the tokens at the same topics.
  [...Map.groupBy(creations, ({ tokenTopics }) => tokenTopics.join()).values()].map((alike) => ({
    addresses: [...venues.keys()],
    topics: topicsAt(
      topicsOfCreations(alike),
      alike.flatMap(({ tokenTopics }) => tokenTopics),
      trusted.map(addressTopic),
    ),
  }))

/** Pools whose logs one filter matches, the oldest first. */
export type PoolGroup = {
  readonly dex: Protocol
  readonly pools: readonly PoolIdentity[]
}

/** Groups pools by protocol and age: the filter lists addresses of v3 pools, ids of v4 pools. */
export const groupPools = (pools: readonly PoolIdentity[]): readonly PoolGroup[] =>
  protocols.flatMap((dex) => {
    const own = pools
      .filter(({ protocol }) => protocol === dex.id)
      .sort((a, b) => a.createdBlock - b.createdBlock)
    return chunk(own, valuesMax).map((group) => ({ dex, pools: group }))
  })

/**
 * Matches the logs of these topics that the group's pools emitted, or their venues, whose logs are
 * of all their pools where these emit their own.
 */
export const groupFilter = ({ dex, pools }: PoolGroup, topics: readonly Hash[]): LogFilter => {
  const ids = pools.map(({ id }) => id)
  const venues = [...new Set(pools.map(({ venue }) => venue))]
  if (dex.emitter === 'singleton') return { addresses: venues, topics: [topics, ids] }
  const isOfVenues = topics.some((topic) => dex.venueEvents?.has(topic))
  return { addresses: isOfVenues ? [...ids, ...venues] : ids, topics: [topics] }
}

/** Matches all logs of one pool. */
export const poolLogFilter = (pool: PoolIdentity): LogFilter => {
  const [group] = groupPools([pool])
  if (group === undefined) throw new Error(`no protocol has the id ${pool.protocol}`)
  return groupFilter(group, poolTopicsOf(group.dex))
}
