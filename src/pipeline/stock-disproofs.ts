import type { Stock, StockListing } from '../domain/stock/stock.ts'
import type { Address } from '../domain/units.ts'
import type { Logger } from '../ports/process.ts'

/** Listed stocks that the chain disproves, whose pools are left out, and those left open. */
export type Disproofs = {
  /** After every reading: all that are listed. */
  readonly note: (listed: readonly Stock[]) => void
  /** For the status; null while as good as all of them hold. */
  readonly lack: () => string | null
}

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

export const createDisproofs = (logger: Logger, shipped: readonly StockListing[]): Disproofs => {
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
    note: (listed) => {
      const disproven = listed.filter(({ verdict }) => verdict === 'disproven')
      lack = lackOf(listed)
      const news = disproven.filter(({ address }) => isShipped.has(address) && !told.has(address))
      for (const [reason, stocks] of Map.groupBy(news, reasonOf)) tell(reason, stocks)
      for (const { address } of news) told.add(address)
    },
    lack: () => lack,
  }
}
