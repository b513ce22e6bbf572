import type { Protocol } from '../../domain/dex/protocol.ts'
import { protocols } from '../../domain/dex/registry.ts'
import type { Venues } from '../../domain/ingest/decode-pool-log.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import type { Address, Hash } from '../../domain/units.ts'
import type { LogFilter } from '../../ports/chain-reader.ts'
import { chunk } from '../../util/chunk.ts'

/** Values of one topic or address list: about 35 KB of question, which nodes still take. */
const valuesMax = 500

const topicOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

const venueAddresses = ({ factories, managers }: Venues): readonly Address[] => [
  ...factories.keys(),
  ...managers,
]

/** `topics` with each of these positions restricted to the values. */
const topicsAt = (
  creationTopics: readonly Hash[],
  positions: readonly number[],
  values: readonly Hash[],
): LogFilter['topics'] => {
  const topics: (readonly Hash[] | null)[] = [creationTopics]
  for (let at = 1; at <= Math.max(...positions); at++) {
    topics.push(positions.includes(at) ? values : null)
  }
  return topics
}

const creationTopicsAt = (position: number): readonly Hash[] =>
  protocols
    .filter(({ creationTokenTopics }) => creationTokenTopics.includes(position))
    .map(({ creationTopic }) => creationTopic)

/**
 * Every creation event that names one of the stocks: one filter per topic position, because a
 * filter's positions are joined by "and" (methodology §8).
 */
export const stockCreationFilters = (
  venues: Venues,
  stocks: readonly Address[],
): readonly LogFilter[] => {
  const addresses = venueAddresses(venues)
  const positions = [
    ...new Set(protocols.flatMap(({ creationTokenTopics }) => creationTokenTopics)),
  ]
  return positions.flatMap((position) =>
    chunk(stocks.map(topicOf), valuesMax).map((values) => ({
      addresses,
      topics: topicsAt(creationTopicsAt(position), [position], values),
    })),
  )
}

/** The same of pools between two trusted tokens, which serve as references. */
export const referenceCreationFilters = (
  venues: Venues,
  trusted: readonly Address[],
): readonly LogFilter[] =>
  protocols.map(({ creationTopic, creationTokenTopics }) => ({
    addresses: venueAddresses(venues),
    topics: topicsAt([creationTopic], creationTokenTopics, trusted.map(topicOf)),
  }))

/** Pools whose logs can be asked for at once, the oldest first. */
export type PoolGroup = {
  readonly dex: Protocol
  readonly pools: readonly PoolIdentity[]
}

/** v3 pools by their addresses, v4 pools by their ids; born together, asked for together. */
export const groupPools = (pools: readonly PoolIdentity[]): readonly PoolGroup[] =>
  protocols.flatMap((dex) => {
    const own = pools
      .filter(({ version }) => version === dex.version)
      .sort((a, b) => a.createdBlock - b.createdBlock)
    return chunk(own, valuesMax).map((some) => ({ dex, pools: some }))
  })

/** The logs of these topics that the group's pools emitted. */
export const groupFilter = ({ dex, pools }: PoolGroup, topics: readonly Hash[]): LogFilter => {
  const ids = pools.map(({ id }) => id)
  if (dex.emitter === 'pool') return { addresses: ids, topics: [topics] }
  const venues = new Set(pools.map(({ venue }) => venue))
  return { addresses: [...venues], topics: [topics, ids] }
}

/** All logs of one pool. */
export const poolLogFilter = (pool: PoolIdentity): LogFilter => {
  const [group] = groupPools([pool])
  if (group === undefined) throw new Error(`no protocol has the version ${pool.version}`)
  return groupFilter(group, group.dex.topics)
}
