import type { Stock, StockListing } from '../domain/stock/stock.ts'
import type { Address } from '../domain/units.ts'
import type { Logger } from '../ports/process.ts'

/** Listed stocks that the chain disproves: their pools are left out. */
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

const lackOf = (disproven: readonly Stock[], listedCount: number): string | null => {
  const [first] = disproven
  const count = disproven.length
  if (first === undefined || listedCount - count >= listedCount * soundShareMin) return null
  const example = `${first.symbol}: ${reasonOf(first)}`
  return `${count} of ${listedCount} listed stocks are disproven, ${example}`
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
      lack = lackOf(disproven, listed.length)
      const news = disproven.filter(({ address }) => isShipped.has(address) && !told.has(address))
      for (const [reason, stocks] of Map.groupBy(news, reasonOf)) tell(reason, stocks)
      for (const { address } of news) told.add(address)
    },
    lack: () => lack,
  }
}
