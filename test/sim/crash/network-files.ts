import type { Venues } from '../../../src/domain/dex/venue.ts'
import type { TokenRoles } from '../../../src/domain/pool/pool-kind.ts'
import { isComplete } from '../../../src/domain/status/pool-search.ts'
import type { IndexedNetwork } from '../../../src/indexer/deps.ts'
import type { Store } from '../../../src/ports/store.ts'
import { withoutProtocol } from '../../support/domain/sample-venues.ts'
import { createRandom, type Random } from '../random.ts'

/* An indexer's network file, which gains venues, trusted tokens and stocks between two runs. */

/** The draws are their own, so that the others of a seed stay what they were. */
const streamOffset = 0x0f11_e001

/** What the chain is to an indexer with a network file. */
export type Followed = { readonly venues: Venues; readonly roles: TokenRoles }

type Lacking = (network: IndexedNetwork, random: Random) => Partial<IndexedNetwork>

const withoutOne = <T>(items: readonly T[], random: Random): readonly T[] => {
  const lacking = random.pick(items)
  return items.filter((item) => item !== lacking)
}

const lacks: Readonly<Record<string, Lacking>> = {
  factory: ({ venues }) => ({ venues: withoutProtocol(venues, 'uniswap-v3') }),
  manager: ({ venues }) => ({ venues: withoutProtocol(venues, 'uniswap-v4') }),
  trusted: ({ trusted }, random) => ({ trusted: withoutOne(trusted, random) }),
  stock: ({ stocks }, random) => ({ stocks: withoutOne(stocks, random) }),
}

/** The file of the first runs; null if it is the same throughout. */
export const drawEarlierNetwork = (
  seed: number,
  network: IndexedNetwork,
): IndexedNetwork | null => {
  const random = createRandom(seed + streamOffset)
  if (!random.percent(10)) return null
  const first = { ...network, ...random.pick(Object.values(lacks))(network, random) }
  return random.percent(70) ? first : { ...first, ...lacks.trusted?.(first, random) }
}

export const followedBy = ({ venues, trusted, stocks }: IndexedNetwork): Followed => ({
  venues,
  roles: {
    isStock: (token) => stocks.some(({ address }) => address === token),
    isTrusted: (token) => trusted.some(({ address }) => address === token),
  },
})

/** Whether a store has searched for everything in the file. */
export const isSearched = async (store: Store, network: IndexedNetwork): Promise<boolean> => {
  const { venues, trusted, stocks } = network
  const searches = await store.snapshot((snapshot) => snapshot.searches())
  const complete = new Set(searches.filter(isComplete).map(({ address }) => address))
  return [...venues.keys(), ...[...trusted, ...stocks].map(({ address }) => address)].every(
    (address) => complete.has(address),
  )
}
