import { buildOrderBook } from '../../domain/feed/order-book.ts'
import { success } from '../../domain/outcome.ts'
import { holdsRebasing } from '../../domain/stock/stock-standard.ts'
import { measureDepth } from '../../domain/swap/measure-depth.ts'
import { quoteSwap } from '../../domain/swap/quote-swap.ts'
import type { QuotedPool } from '../../domain/swap/quoted-pool.ts'
import type { PoolId } from '../../domain/units.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import type { AnswerOrigin } from '../../domain/views/swap-quote.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { Market } from '../market.ts'
import { getByNumber } from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import { type MarketInputs, sharedInputsOf, toPoolInputs } from '../valuation/market-inputs.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findPool } from './details.ts'
import type { TickMapCache } from './tick-map-cache.ts'

/** A pool at one block: what quotes follow from, and what every answer says of its origin. */
type PoolAtBlock = { readonly quoted: QuotedPool; readonly origin: AnswerOrigin }

const toPoolAtBlock = (
  pool: ListedPool,
  tickMap: QuotedPool['tickMap'],
  inputs: MarketInputs,
): PoolAtBlock => {
  const own = toPoolInputs(pool, sharedInputsOf(pool, inputs))
  const record = toPoolView(own, inputs.context)
  const { asOfBlock, stateTs, dataStatus, statusReasons } = record
  return {
    quoted: {
      ...own,
      tickMap,
      isRebasing: holdsRebasing(own.pool.key, inputs.context.standardOf),
      prices: record,
    },
    origin: { asOfBlock, stateTs, dataStatus, statusReasons },
  }
}

/** What trades in single pools would get. Reads the store once after each change of a row. */
export const createPoolQuoting = (deps: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt'>
  readonly clock: Clock
  readonly tickMaps: TickMapCache
}): Pick<Market, 'quote' | 'depth' | 'orderBook'> => {
  const { sync, valuer, clock, tickMaps } = deps

  /** Without a read of the store; undefined if it takes one. */
  const findCached = (id: PoolId): PoolAtBlock | undefined => {
    const model = sync.model()
    const pool = model && getByNumber(model.pools, model.numberOf(id) ?? -1)
    const found = pool && tickMaps.find(pool)
    if (!model || !pool || !found) return undefined
    return toPoolAtBlock(pool, found.tickMap, valuer.inputsAt(model, clock.now()))
  }

  const read = (id: PoolId): Promise<PoolAtBlock | null> =>
    sync.read(async (snapshot, model: ReadModel) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      const { tickMap } = await tickMaps.read(snapshot, pool)
      return toPoolAtBlock(pool, tickMap, valuer.inputsAt(model, clock.now()))
    })

  const find = async (id: PoolId): Promise<PoolAtBlock | null> => findCached(id) ?? read(id)

  return {
    quote: async (id, order) => {
      const found = await find(id)
      if (found === null) return null
      const result = quoteSwap(found.quoted, order)
      return result.ok ? success({ ...result.value, ...found.origin }) : result
    },
    orderBook: async (id, orders) => {
      const found = await find(id)
      return found && buildOrderBook(found.quoted, orders)
    },
    depth: async (id, segments) => {
      const found = await find(id)
      return found && { depth: measureDepth(found.quoted, segments), ...found.origin }
    },
  }
}
