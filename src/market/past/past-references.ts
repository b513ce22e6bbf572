import { candleWidths, type ReferencePoint } from '../../domain/pool/stored-rows.ts'
import {
  lastEndedPoint,
  type PastMoment,
  pastStockReference,
  pastTrustedReference,
} from '../../domain/price/past-reference.ts'
import type { ReferenceResult } from '../../domain/price/reference-price.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import type { Address } from '../../domain/units.ts'
import type { StockInputs } from '../../domain/valuation/stock-inputs.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { type ListedPool, otherTokenOf, stockTokenOf } from '../model/model-pool.ts'
import type { MarketInputs, SharedInputs } from '../valuation/market-inputs.ts'

const readLastPoint = async (snapshot: StoreSnapshot, address: Address, { ts }: PastMoment) => {
  const points = []
  for (const width of candleWidths) {
    const fromTs = bucketStart(ts, width)
    const { before } = await snapshot.references({ address, width, fromTs, toTs: fromTs - 1 })
    points.push(before)
  }
  return lastEndedPoint(points)
}

/** A stock at a past moment: halts, pauses and the state of its contract are not stored. */
const toStockInputs = (
  address: Address,
  reading: ReferenceResult,
  { session, present }: { readonly present: MarketInputs; readonly session: PastMoment['session'] },
): StockInputs => ({
  address,
  symbol: present.stocks.get(address)?.symbol ?? '',
  reading,
  session,
  halted: null,
  oraclePaused: false,
  multiplierPending: false,
  multiplierOld: true,
})

/** The stored references that count; null without one. */
export type PastPoints = {
  readonly stock: ReferencePoint | null
  /** Of the other token, unless the pool is a meme's. */
  readonly other: ReferencePoint | null
}

/** What the valuation of a pool at a past moment takes of its tokens, from stored references. */
export const readPastTokens = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { moment, present }: { readonly moment: PastMoment; readonly present: MarketInputs },
): Promise<{ readonly shared: SharedInputs; readonly points: PastPoints }> => {
  const { session } = moment
  const { kind } = pool.classification
  const [stockAddress, otherAddress] = [stockTokenOf(pool).address, otherTokenOf(pool).address]
  const stockPoint = await readLastPoint(snapshot, stockAddress, moment)
  const stockReading = pastStockReference(stockPoint, moment)
  const stock = toStockInputs(stockAddress, stockReading, { session, present })
  if (kind === 'meme') {
    const shared = { stock, other: null, otherStock: null }
    return { shared, points: { stock: stockPoint, other: null } }
  }
  const point = await readLastPoint(snapshot, otherAddress, moment)
  const points = { stock: stockPoint, other: point }
  if (kind === 'canonical') {
    const shared = { stock, other: pastTrustedReference(point, moment), otherStock: null }
    return { shared, points }
  }
  const other = pastStockReference(point, moment)
  const otherStock = toStockInputs(otherAddress, other, { session, present })
  return { shared: { stock, other, otherStock }, points }
}
