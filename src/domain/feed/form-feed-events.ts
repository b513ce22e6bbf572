import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import type { PoolState, RawAmounts } from '../pool/pool-state.ts'
import { sqrtPriceBefore } from '../pool/price-before-swap.ts'
import type { PlacedChange, PricedLiquidityChange, StoredSwap } from '../pool/stored-rows.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  type Tick,
  type TickMap,
} from '../pool/tick-map.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { createTickSums } from '../pool/tick-sums.ts'
import { type Address, nativeAddress } from '../units.ts'
import type { FeedEvent, FeedLiquidity, FeedSwap } from './feed-event.ts'

/** The stored rows of a pool that its events of some blocks follow from, in chain order. */
export type PoolActivity = {
  /** Of these blocks. */
  readonly swaps: readonly StoredSwap[]
  readonly changes: readonly PricedLiquidityChange[]
  /** The pool now. */
  readonly state: PoolState
  readonly ticks: readonly Tick[]
  /** All changes from the first of these blocks until now; null: the map of then is not known. */
  readonly since: readonly PlacedChange[] | null
  /** The first swap from the first of these blocks on; null: there is none. */
  readonly nextSwap: StoredSwap | null
}

type Row = StoredSwap | PricedLiquidityChange
/** `isExact`: not derived from the amounts of a later swap. */
type Price = { readonly sqrtPriceX96: bigint; readonly isExact: boolean }
type MakerOf = (row: Row) => Address

const isSwap = (row: Row): row is StoredSwap => 'amount0' in row

const byPlace = (
  one: Pick<Row, 'block' | 'logIndex'>,
  other: Pick<Row, 'block' | 'logIndex'>,
): number => one.block - other.block || one.logIndex - other.logIndex

const mapBefore = ({ ticks, since }: PoolActivity): TickMap | null => {
  if (since === null) return null
  const sums = createTickSums(ticks)
  for (const change of since) sums.undo(change)
  return sums.toMap()
}

const applyChange = (map: TickMap | null, change: PlacedChange): TickMap | null => {
  const next = map && applyLiquidityDelta(map, change)
  return next?.known ? next.value : null
}

/** The price before the first row. Of the price at the creation there is no row. */
const firstPrice = (activity: PoolActivity, before: TickMap | null): Price | null => {
  const { changes, state, since, nextSwap } = activity
  const stored = changes[0]?.sqrtPriceX96 ?? null
  if (stored !== null) return { sqrtPriceX96: stored, isExact: true }
  if (nextSwap === null) {
    return state.price && { sqrtPriceX96: state.price.sqrtPriceX96, isExact: true }
  }
  const earlier = since?.filter((change) => byPlace(change, nextSwap) < 0) ?? []
  const map = earlier.reduce(applyChange, before)
  return map && { sqrtPriceX96: sqrtPriceBefore(map, nextSwap), isExact: false }
}

/** As the contracts round: up what a position takes, down what it pays. */
const amountsOf = (change: PricedLiquidityChange, sqrtPriceX96: bigint): RawAmounts => {
  const { tickLower, tickUpper, liquidityDelta } = change
  const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)]
  const split = sqrtPriceX96 < lower ? lower : sqrtPriceX96 > upper ? upper : sqrtPriceX96
  const liquidity = liquidityDelta < 0n ? -liquidityDelta : liquidityDelta
  const rounding = liquidityDelta < 0n ? 'down' : 'up'
  return {
    amount0: amount0Delta({ sqrtPriceAX96: split, sqrtPriceBX96: upper, liquidity }, rounding),
    amount1: amount1Delta({ sqrtPriceAX96: lower, sqrtPriceBX96: split, liquidity }, rounding),
  }
}

type Formed = Pick<FeedSwap, 'reserves' | 'maker'>

const placeOf = ({ pool, block, ts, txHash, txIndex, logIndex }: Row) => ({
  ...{ pool, block, ts, txHash, logIndex },
  txIndex: txIndex ?? 0,
})

/** Null unless one token went in and the other one out. */
const toFeedSwap = (swap: StoredSwap, formed: Formed): FeedSwap | null => {
  const { amount0, amount1, sqrtPriceX96 } = swap
  const isTrade = (amount0 > 0n && amount1 < 0n) || (amount0 < 0n && amount1 > 0n)
  return isTrade
    ? { kind: 'swap', ...placeOf(swap), ...formed, amount0, amount1, sqrtPriceX96 }
    : null
}

/** Null for what moves nothing. */
const toFeedLiquidity = (
  change: PricedLiquidityChange,
  amounts: RawAmounts,
  formed: Formed,
): FeedLiquidity | null => {
  if (amounts.amount0 === 0n && amounts.amount1 === 0n) return null
  const kind = change.liquidityDelta > 0n ? 'join' : 'exit'
  return { kind, ...placeOf(change), ...formed, ...amounts }
}

const reservesAt = (map: TickMap | null, price: Price): RawAmounts | null =>
  map !== null && price.isExact ? reservesFromTickMap(map, price.sqrtPriceX96) : null

/** The events of one pool, each with the reserves after it, by folding its rows. */
const formPoolEvents = (activity: PoolActivity, makerOf: MakerOf): readonly FeedEvent[] => {
  const rows: readonly Row[] = [...activity.swaps, ...activity.changes].sort(byPlace)
  let map = mapBefore(activity)
  let price = firstPrice(activity, map)
  const events: (FeedEvent | null)[] = []
  for (const row of rows) {
    const maker = makerOf(row)
    if (isSwap(row)) {
      price = { sqrtPriceX96: row.sqrtPriceX96, isExact: true }
      // A map that disagrees with the pool's own liquidity lacks something.
      const isAgreed = map !== null && activeLiquidityAt(map, row.tick) === row.liquidity
      events.push(toFeedSwap(row, { maker, reserves: isAgreed ? reservesAt(map, price) : null }))
      continue
    }
    map = applyChange(map, row)
    if (price === null) continue
    const amounts = amountsOf(row, price.sqrtPriceX96)
    events.push(toFeedLiquidity(row, amounts, { maker, reserves: reservesAt(map, price) }))
  }
  return events.filter((event) => event !== null)
}

/** Rows of an old version have no transaction index: then it is the transaction's rank. */
const withRanks = (events: readonly FeedEvent[], rows: readonly Row[]): readonly FeedEvent[] => {
  const unplaced = new Set(rows.filter(({ txIndex }) => txIndex === null).map(({ block }) => block))
  if (unplaced.size === 0) return events
  const ranks = new Map<string, number>()
  let block = -1
  let rank = 0
  for (const row of rows) {
    if (row.block !== block) rank = 0
    block = row.block
    const key = `${row.block} ${row.txHash}`
    if (!ranks.has(key)) ranks.set(key, rank++)
  }
  return events.map((event) =>
    unplaced.has(event.block)
      ? { ...event, txIndex: ranks.get(`${event.block} ${event.txHash}`) ?? 0 }
      : event,
  )
}

/**
 * The events of some blocks in chain order (docs/integrations.md). What neither trades nor moves a
 * token is left out.
 */
export const formFeedEvents = (activities: readonly PoolActivity[]): readonly FeedEvent[] => {
  const rows = activities
    .flatMap(({ swaps, changes }): readonly Row[] => [...swaps, ...changes])
    .sort(byPlace)
  const traders = new Map(
    rows.flatMap((row) => (isSwap(row) && row.trader !== null ? [[row.txHash, row.trader]] : [])),
  )
  const makerOf: MakerOf = (row) => {
    const trader = traders.get(row.txHash)
    if (trader !== undefined) return trader
    return (isSwap(row) ? row.sender : (row.owner ?? row.sender)) ?? nativeAddress
  }
  const events = activities.flatMap((activity) => formPoolEvents(activity, makerOf)).sort(byPlace)
  return withRanks(events, rows)
}
