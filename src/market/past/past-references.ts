import { candleWidths } from '../../domain/pool/stored-rows.ts'
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

/** What the valuation of a pool at a past moment takes of its tokens, from stored references. */
export const readPastTokens = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { moment, present }: { readonly moment: PastMoment; readonly present: MarketInputs },
): Promise<SharedInputs> => {
  const { session } = moment
  const { kind } = pool.classification
  const [stockAddress, otherAddress] = [stockTokenOf(pool).address, otherTokenOf(pool).address]
  const stockPoint = await readLastPoint(snapshot, stockAddress, moment)
  const stockReading = pastStockReference(stockPoint, moment)
  const stock = toStockInputs(stockAddress, stockReading, { session, present })
  if (kind === 'meme') return { stock, other: null, otherStock: null }
  const point = await readLastPoint(snapshot, otherAddress, moment)
  if (kind === 'canonical') {
    return { stock, other: pastTrustedReference(point, moment), otherStock: null }
  }
  const other = pastStockReference(point, moment)
  return { stock, other, otherStock: toStockInputs(otherAddress, other, { session, present }) }
}
