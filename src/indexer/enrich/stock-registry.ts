import type { BlockRef } from '../../domain/chain/block-ref.ts'
import {
  beaconSlot,
  provingCall,
  readStockAnswers,
  stockStateCalls,
  toStockOnChain,
} from '../../domain/stock/onchain-calls.ts'
import { type Stock, type StockListing, unverifiedStock } from '../../domain/stock/stock.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import type { Address, Hash, UnixSeconds } from '../../domain/units.ts'
import type { CallResult, ChainReader, ContractCall } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StockListSource } from '../../ports/sources.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReadConfirmedBlock } from '../confirmed-block.ts'

/** All listed stocks, each with its on-chain verification. */
export type StockRegistry = {
  /** Fetches the live list; after a fault the previous one stays. */
  readonly list: () => Promise<void>
  /** Verifies every listed token. False if the calls failed. */
  readonly read: () => Promise<boolean>
  /** `list`, then `read`. */
  readonly refresh: () => Promise<boolean>
  readonly all: () => readonly Stock[]
  readonly get: (address: Address) => Stock | undefined
  /** For the source status; null unless too many listed stocks are rejected or unread. */
  readonly warning: () => string | null
}

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly clock: Clock
  readonly logger: Logger
  readonly confirmedBlock: ReadConfirmedBlock
  /** The stocks of the network file, which is also the only source of feeds. */
  readonly shipped: readonly StockListing[]
  /** The issuer's live list; null on networks without one. */
  readonly listSource: StockListSource | null
  readonly standardOf: StandardOf
  /** From the last run. */
  readonly stored: readonly Stock[]
}

/** Ignores the time of reading, which is stored once for all stocks. */
const isSameStock = (a: Stock | undefined, b: Stock): boolean =>
  a !== undefined &&
  a.symbol === b.symbol &&
  a.name === b.name &&
  a.issuer === b.issuer &&
  a.decimals === b.decimals &&
  a.feed === b.feed &&
  a.verdict === b.verdict &&
  a.multiplier === b.multiplier &&
  a.pendingMultiplier === b.pendingMultiplier &&
  a.multiplierEffectiveTs === b.multiplierEffectiveTs &&
  a.multiplierAlias === b.multiplierAlias &&
  a.oraclePaused === b.oraclePaused &&
  a.readFailed === b.readFailed

/** Stocks to log per reason: more of them only show that the configured beacon is wrong. */
const loggedStocksMax = 5
/** A source with less than this share of the expected rows is `degraded` (docs/api.md). */
const verifiableShareMin = 0.95

/** Neither verified nor rejected; a beacon that cannot be read is logged elsewhere. */
const isUnread = ({ verdict, multiplier }: Stock): boolean =>
  verdict === 'unknown' && multiplier === null

/** Why a disproven stock is none: which of its checks failed (docs/methodology.md §1). */
type ReasonOf = (stock: Stock) => string

const describeUnverified = (
  listed: readonly Stock[],
  { reasonOf, standardOf }: { readonly reasonOf: ReasonOf; readonly standardOf: StandardOf },
): string | null => {
  const rejected = listed.filter(({ verdict }) => verdict === 'disproven')
  const unread = listed.filter(isUnread)
  const count = rejected.length + unread.length
  if (count === 0 || listed.length - count >= listed.length * verifiableShareMin) return null
  const [first] = rejected
  if (first !== undefined) {
    const example = `${first.symbol}: ${reasonOf(first)}`
    return `${rejected.length} of ${listed.length} listed stocks failed verification, ${example}`
  }
  const [example] = unread.map(
    ({ symbol, address }) => `${symbol}: its ${provingCall(standardOf(address))} could not be read`,
  )
  return `${unread.length} of ${listed.length} listed stocks could not be verified, ${example}`
}

/** Logs shipped stocks that fail verification, once each; keeps the warning about all listed. */
const createRejectedStocks = (
  { logger, shipped, standardOf }: Pick<Deps, 'logger' | 'shipped' | 'standardOf'>,
  reasonOf: ReasonOf,
) => {
  const isShipped = new Set(shipped.map(({ address }) => address))
  const logged = new Set<Address>()
  let warning: string | null = null

  const log = (reason: string, stocks: readonly Stock[]): void => {
    for (const { symbol, address } of stocks.slice(0, loggedStocksMax)) {
      const message =
        'Stock of the network file failed on-chain verification, its pools are excluded'
      logger.warn(message, { symbol, address, reason })
    }
    const count = stocks.length - loggedStocksMax
    if (count <= 0) return
    logger.warn('More stocks failed the same verification', { count, reason })
  }

  return {
    /** Takes all listed stocks after every verification. */
    record: (listed: readonly Stock[]): void => {
      const rejected = listed.filter(({ verdict }) => verdict === 'disproven')
      warning = describeUnverified(listed, { reasonOf, standardOf })
      const added = rejected.filter(({ address }) => isShipped.has(address) && !logged.has(address))
      for (const [reason, stocks] of Map.groupBy(added, reasonOf)) log(reason, stocks)
      for (const { address } of added) logged.add(address)
    },
    warning: (): string | null => warning,
  }
}

export const createStockRegistry = (deps: Deps): StockRegistry => {
  const { chain, store, clock, logger, shipped, listSource: registry, standardOf } = deps
  const recorded = new Map<Address, Stock>(deps.stored.map((stock) => [stock.address, stock]))
  const stocks = new Map<Address, Stock>(recorded)
  /** By the last answers; none for a token that is a stock but of another beacon. */
  const faults = new Map<Address, string>()
  const rejectedStocks = createRejectedStocks(
    deps,
    ({ address }) => faults.get(address) ?? 'it is not a proxy of stocks.beacon',
  )
  /** Listed by the network file or the live list during this run. */
  const listed = new Set<Address>()

  const addListing = (listing: StockListing): void => {
    const before = stocks.get(listing.address)
    const feed = listing.feed ?? before?.feed ?? null
    stocks.set(listing.address, { ...unverifiedStock, ...before, ...listing, feed })
    listed.add(listing.address)
  }
  for (const listing of shipped) addListing(listing)

  const list = async (): Promise<void> => {
    if (registry === null) return
    const read = await registry.read()
    if (read.ok) for (const listing of read.value) addListing(listing)
    else logger.warn('Failed to fetch the stock registry, using the previous list', read)
  }

  /** The beacon slots of unverified stocks; empty if the read failed. */
  const readSlots = async (
    known: readonly Stock[],
    at: BlockRef,
  ): Promise<ReadonlyMap<Address, Hash | null>> => {
    const open = known
      .filter(({ verdict }) => verdict !== 'verified')
      .map(({ address }) => address)
      .filter((address) => standardOf(address).beacon !== null)
    if (open.length === 0) return new Map()
    const slots = await chain.getStorageAt(open, beaconSlot, at)
    if (slots.ok)
      return new Map(open.map((address, index) => [address, slots.value[index] ?? null]))
    logger.warn('Failed to read stock beacons, keeping the previous results', {
      ...slots.fault,
    })
    return new Map()
  }

  /** A verified stock stays verified; without a slot the previous verdict stays. */
  const applyAnswers = (
    stock: Stock,
    answers: readonly CallResult[],
    { slot, readTs }: { readonly slot: Hash | null; readonly readTs: UnixSeconds },
  ): Stock => {
    const isVerified = stock.verdict === 'verified'
    const standard = standardOf(stock.address)
    const reading = readStockAnswers(answers, stock, standard)
    if (reading.fault === null) faults.delete(stock.address)
    else faults.set(stock.address, reading.fault)
    const beacon = isVerified ? null : standard.beacon
    const read = toStockOnChain(reading, { slot, beacon, readTs })
    if (isVerified && (read.readFailed || read.verdict !== 'verified'))
      return { ...stock, readFailed: true }
    const verdict = read.verdict === 'unknown' ? stock.verdict : read.verdict
    return { ...stock, ...read, verdict, readTs: read.readFailed ? stock.readTs : readTs }
  }

  const readAnswers = async (calls: readonly ContractCall[], known: readonly Stock[]) => {
    const at = await deps.confirmedBlock()
    if (!at.ok) return [at, new Map<Address, Hash | null>()] as const
    return Promise.all([
      chain.callContracts(calls, at.value, { confirmed: true }),
      readSlots(known, at.value),
    ])
  }

  const read = async (): Promise<boolean> => {
    const known = [...stocks.values()]
    // Before the calls: what they return may be as old as this.
    const readTs = clock.now()
    const calls = known.map((stock) => stockStateCalls(stock, standardOf(stock.address)))
    const [answers, slots] = await readAnswers(calls.flat(), known)
    if (!answers.ok) {
      logger.warn('Failed to verify stocks, keeping the previous results', answers.fault)
      return false
    }
    const changed: Stock[] = []
    let start = 0
    for (const [index, stock] of known.entries()) {
      const end = start + (calls[index]?.length ?? 0)
      const slot = slots.get(stock.address) ?? null
      const next = applyAnswers(stock, answers.value.slice(start, end), { slot, readTs })
      start = end
      stocks.set(stock.address, next)
      if (!isSameStock(recorded.get(next.address), next)) changed.push(next)
    }
    await store.recordStocks(changed, readTs)
    for (const stock of changed) recorded.set(stock.address, stock)
    rejectedStocks.record([...listed].flatMap((address) => stocks.get(address) ?? []))
    return true
  }

  return {
    list,
    read,
    refresh: async () => {
      await list()
      return read()
    },
    all: () => [...stocks.values()],
    get: (address) => stocks.get(address),
    warning: rejectedStocks.warning,
  }
}
