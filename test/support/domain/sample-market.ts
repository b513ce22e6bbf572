import { type IngestDeps, ingestLogs } from '../../../src/domain/ingest/ingest-logs.ts'
import type { PoolVersion } from '../../../src/domain/pool/pool-event.ts'
import { createPoolSet } from '../../../src/domain/pool/pool-set.ts'
import { createPoolWindows } from '../../../src/domain/price/pool-window.ts'
import { createReferenceHistory } from '../../../src/domain/price/reference-history.ts'
import { createSwapPricing } from '../../../src/domain/price/swap-pricing.ts'
import { known, type Reading, unknown } from '../../../src/domain/reading.ts'
import { type Address, nativeAddress } from '../../../src/domain/units.ts'
import type { RawLog } from './sample-chain.ts'
import { createSamplePool, keccak, type SampleKey, type SamplePoolOptions } from './sample-pool.ts'
import { v3Venue, v4Venue, venuesOf } from './sample-venues.ts'

const repeated = (digit: string): Address => `0x${digit.repeat(40)}`

/** In the order of their addresses: which of two is token0 can be seen here. */
export const tokens = {
  native: nativeAddress,
  usdg: repeated('1'),
  apple: repeated('2'),
  weth: repeated('3'),
  tesla: repeated('4'),
  meme: repeated('5'),
  otherMeme: repeated('6'),
} as const

const decimals: ReadonlyMap<Address, number> = new Map([
  [tokens.native, 18],
  [tokens.usdg, 6],
  [tokens.apple, 18],
  [tokens.weth, 18],
  [tokens.tesla, 18],
])

export const decimalsOf = (address: Address): Reading<number> => {
  const value = decimals.get(address)
  return value === undefined ? unknown('decimals-unread') : known(value)
}

export const venues = venuesOf(v3Venue, v4Venue)
const sampleVenues = venues

/** √price (Q64.96) of a raw price whose root is a small fraction, exactly. */
export const rootPrice = (numerator: bigint, denominator = 1n): bigint =>
  (numerator << 96n) / denominator

/** The mind of an indexer: pools, references and prices, without store and chain. */
export const createSampleIndex = (venues = sampleVenues) => {
  const stocks = new Set<Address>([tokens.apple, tokens.tesla])
  const trusted = new Set<Address>([tokens.native, tokens.usdg, tokens.weth])
  const book = createPoolSet()
  const references = createReferenceHistory()
  const roles = {
    isStock: (address: Address) => stocks.has(address),
    isTrusted: (address: Address) => trusted.has(address),
  }
  const windows = createPoolWindows(book, roles)
  const reviewedHooks = new Map()
  const pricing = createSwapPricing({ windows, references, roles, decimalsOf, reviewedHooks })
  const observe = () => {}
  const shared = { roles, venues, keccak256: keccak }
  const deps: IngestDeps = { pools: book, windows, pricing, observe, ...shared }
  return {
    book,
    windows,
    references,
    stocks,
    roles,
    deps,
    ingest: (logs: Parameters<typeof ingestLogs>[0]) => ingestLogs(logs, deps),
  }
}

export type SampleIndex = ReturnType<typeof createSampleIndex>

/** Fee and spacing that most pools of the tests have. */
export const poolOf = (
  emit: (log: RawLog) => void,
  version: PoolVersion,
  key: Pick<SampleKey, 'token0' | 'token1'> & Partial<SampleKey>,
  before?: SamplePoolOptions,
) => createSamplePool(emit, version, { fee: 3000, tickSpacing: 60, ...key }, before)
