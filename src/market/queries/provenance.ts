import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { explainPool } from '../../domain/provenance/explain-pool.ts'
import type { PoolFacts, TokenQuotes } from '../../domain/provenance/pool-facts.ts'
import { multiplierCallOf } from '../../domain/stock/onchain-calls.ts'
import type { Address } from '../../domain/units.ts'
import { toMultiplier } from '../../domain/valuation/stock-inputs.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { Market } from '../market.ts'
import { findPoolGap, toCoverage } from '../model/history-coverage.ts'
import { type ListedPool, otherTokenOf, stockTokenOf } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import {
  assetInputs,
  type MarketInputs,
  sharedInputsOf,
  toPoolInputs,
} from '../valuation/market-inputs.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findPool } from './details.ts'

/** The StateView of a v4 PoolManager; null if the network file has none. */
export type StateViewOf = (venue: Address) => Address | null

const tokenQuotesOf = (
  address: Address,
  model: ReadModel,
  { context, stocks }: MarketInputs,
): TokenQuotes => {
  const stock = model.stocks.get(address)
  const standard = context.standardOf(address)
  const asset = standard.wraps && assetInputs(standard.wraps.asset, { model, stocks })
  return {
    address,
    quotes: model.quotes.get(address) ?? [],
    multiplier: stock === undefined ? null : toMultiplier(stock, context.now),
    multiplierCall: stock === undefined ? null : multiplierCallOf(stock, standard),
    asset: asset?.reading ?? null,
    kept: null,
  }
}

const readLastSwap = async (
  snapshot: StoreSnapshot,
  { number, lastSwapTs }: ListedPool,
): Promise<PoolFacts['lastSwap']> => {
  if (lastSwapTs === null) return null
  const [swap] = await snapshot.swaps({ pool: number, fromTs: lastSwapTs, rowsMax: 1 })
  return swap ?? null
}

const readProvenance = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  {
    model,
    inputs,
    stateViewOf,
  }: {
    readonly model: ReadModel
    readonly inputs: MarketInputs
    readonly stateViewOf: StateViewOf
  },
): Promise<PoolProvenanceView> => {
  const own = toPoolInputs(pool, sharedInputsOf(pool, inputs))
  const record = toPoolView(own, inputs.context)
  const { id, protocol, venue, reserves, mapFault } = own.pool
  const isMapKnown = reserves !== null && mapFault === null
  const gap = findPoolGap(toCoverage(model.header), pool)
  return explainPool(record, {
    inputs: own,
    context: inputs.context,
    past: null,
    asOfHash: model.header.cursor?.hash ?? null,
    ticks: isMapKnown ? await snapshot.ticksOfPool(pool.number) : null,
    lastSwap: await readLastSwap(snapshot, pool),
    stateCalls: getProtocol(protocol).stateCalls(id, stateViewOf(venue)),
    stockQuotes: tokenQuotesOf(stockTokenOf(pool).address, model, inputs),
    otherQuotes:
      record.kind === 'meme' ? null : tokenQuotesOf(otherTokenOf(pool).address, model, inputs),
    gaps: gap,
  })
}

/** How the numbers of pools were made, each answer from one snapshot. */
export const createProvenance = ({
  sync,
  valuer,
  clock,
  stateViewOf,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt'>
  readonly clock: Clock
  readonly stateViewOf: StateViewOf
}): Pick<Market, 'provenance'> => ({
  provenance: (id) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      const inputs = valuer.inputsAt(model, clock.now())
      return readProvenance(snapshot, pool, { model, inputs, stateViewOf })
    }),
})
