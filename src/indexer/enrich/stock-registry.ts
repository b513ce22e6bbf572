import { beaconSlot, stockFromAnswers, stockStateCalls } from '../../domain/stock/onchain-calls.ts'
import { type Stock, type StockListing, unverifiedStock } from '../../domain/stock/stock.ts'
import type { Address, Hash } from '../../domain/units.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StockListSource } from '../../ports/sources.ts'
import type { StoreWriter } from '../../ports/store.ts'

/** All stocks that a registry lists, with what the chain says of each. */
export type StockRegistry = {
  /** Asks the live registry; without its answer the last list stays in force. */
  readonly list: () => Promise<void>
  /** Reads every listed token. False if the chain could not be asked. */
  readonly read: () => Promise<boolean>
  /** Both. */
  readonly refresh: () => Promise<boolean>
  readonly all: () => readonly Stock[]
  readonly get: (address: Address) => Stock | undefined
  /** What is missing of the listed stocks, for the status; null while nothing worth telling is. */
  readonly warning: () => string | null
}

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly clock: Clock
  readonly logger: Logger
  /** What the network file ships: also the only source of feeds. */
  readonly shipped: readonly StockListing[]
  /** The issuer's live list; null where the network has none. */
  readonly listSource: StockListSource | null
  readonly beacon: Address | null
  /** As of the last run. */
  readonly stored: readonly Stock[]
}

/** Whether nothing changed that an answer can show; when it was read is no news. */
const isSame = (a: Stock | undefined, b: Stock): boolean =>
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
  a.oraclePaused === b.oraclePaused

/** More of one kind say no more than their number: then it is the beacon that is wrong. */
const toldMax = 5
/** A source that brings less than this share of what is expected is `degraded` (docs/api.md). */
const soundShareMin = 0.95

/** Which of the two proofs failed (docs/methodology.md §1). */
const reasonOf = ({ multiplier }: Stock): string =>
  multiplier === null || multiplier === 0n
    ? 'its uiMultiplier() answers nothing, or zero'
    : 'it is no proxy of stocks.beacon'

/** Neither proved nor disproved; a beacon that could not be read is told elsewhere. */
const isUnread = ({ verdict, multiplier }: Stock): boolean =>
  verdict === 'unknown' && multiplier === null

const lackOf = (listed: readonly Stock[]): string | null => {
  const disproven = listed.filter(({ verdict }) => verdict === 'disproven')
  const unread = listed.filter(isUnread)
  const count = disproven.length + unread.length
  if (count === 0 || listed.length - count >= listed.length * soundShareMin) return null
  const [first] = disproven
  if (first !== undefined) {
    const example = `${first.symbol}: ${reasonOf(first)}`
    return `${disproven.length} of ${listed.length} listed stocks are disproven, ${example}`
  }
  const example = `${unread[0]?.symbol}: its uiMultiplier() is too long to be read`
  return `${unread.length} of ${listed.length} listed stocks are not known to be any, ${example}`
}

/** Listed stocks that the chain disproves, whose pools are left out, and those left open. */
const createRejectedStocks = (logger: Logger, shipped: readonly StockListing[]) => {
  const isShipped = new Set(shipped.map(({ address }) => address))
  const told = new Set<Address>()
  let lack: string | null = null

  const tell = (reason: string, stocks: readonly Stock[]): void => {
    for (const { symbol, address } of stocks.slice(0, toldMax)) {
      const message = 'The chain disproves a shipped stock; its pools are left out'
      logger.warn(message, { symbol, address, reason })
    }
    const count = stocks.length - toldMax
    if (count <= 0) return
    logger.warn('The chain disproves more shipped stocks by the same check', { count, reason })
  }

  return {
    /** After every reading: all that are listed. */
    note: (listed: readonly Stock[]): void => {
      const disproven = listed.filter(({ verdict }) => verdict === 'disproven')
      lack = lackOf(listed)
      const news = disproven.filter(({ address }) => isShipped.has(address) && !told.has(address))
      for (const [reason, stocks] of Map.groupBy(news, reasonOf)) tell(reason, stocks)
      for (const { address } of news) told.add(address)
    },
    lack: (): string | null => lack,
  }
}

export const createStockRegistry = (deps: Deps): StockRegistry => {
  const { chain, store, clock, logger, shipped, listSource: registry, beacon } = deps
  const recorded = new Map<Address, Stock>(deps.stored.map((stock) => [stock.address, stock]))
  const stocks = new Map<Address, Stock>(recorded)
  const disproofs = createRejectedStocks(logger, shipped)
  /** By what ships or by the live registry, in this run. */
  const listed = new Set<Address>()

  const enter = (listing: StockListing): void => {
    const before = stocks.get(listing.address)
    const feed = listing.feed ?? before?.feed ?? null
    stocks.set(listing.address, { ...unverifiedStock, ...before, ...listing, feed })
    listed.add(listing.address)
  }
  for (const listing of shipped) enter(listing)

  const list = async (): Promise<void> => {
    if (registry === null) return
    const read = await registry.read()
    if (read.ok) for (const listing of read.value) enter(listing)
    else logger.warn('The live stock registry did not answer; the last list stays in force', read)
  }

  /** The beacons of those whose verdict is still open, as far as they could be read. */
  const readSlots = async (known: readonly Stock[]): Promise<ReadonlyMap<Address, Hash | null>> => {
    const open = known.filter(({ verdict }) => verdict !== 'verified').map((each) => each.address)
    if (beacon === null || open.length === 0) return new Map()
    const slots = await chain.getStorageAt(open, beaconSlot)
    if (slots.ok) return new Map(open.map((address, at) => [address, slots.value[at] ?? null]))
    logger.warn('The beacons of the stock tokens could not be read; the last verdicts stay', {
      ...slots.fault,
    })
    return new Map()
  }

  /**
   * A verified contract is asked for its figures only: what it is can not change any more. Where
   * the slot could not be read, the last verdict stays.
   */
  const judge = (stock: Stock, answers: readonly CallResult[], slot: Hash | null): Stock => {
    const isVerified = stock.verdict === 'verified'
    const knownBeacon = isVerified ? null : beacon
    const read = stockFromAnswers({ answers, slot, beacon: knownBeacon, readTs: clock.now() })
    if (isVerified && read.verdict !== 'verified') return stock
    return { ...stock, ...read, verdict: read.verdict === 'unknown' ? stock.verdict : read.verdict }
  }

  const read = async (): Promise<boolean> => {
    const known = [...stocks.values()]
    const calls = known.map((stock) => stockStateCalls(stock.address))
    const [answers, slots] = await Promise.all([
      chain.callContracts(calls.flat(), 'latest'),
      readSlots(known),
    ])
    if (!answers.ok) {
      logger.warn('The stock tokens could not be read; the last verdicts stay', answers.fault)
      return false
    }
    const changed: Stock[] = []
    let start = 0
    for (const [index, stock] of known.entries()) {
      const end = start + (calls[index]?.length ?? 0)
      const slot = slots.get(stock.address) ?? null
      const next = judge(stock, answers.value.slice(start, end), slot)
      start = end
      stocks.set(stock.address, next)
      if (!isSame(recorded.get(next.address), next)) changed.push(next)
    }
    if (changed.length > 0) await store.recordStocks(changed)
    for (const stock of changed) recorded.set(stock.address, stock)
    disproofs.note([...listed].flatMap((address) => stocks.get(address) ?? []))
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
    warning: disproofs.lack,
  }
}
