import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { ageOf, isWithin } from '../../domain/status/freshness.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { activityValidUntil } from '../../domain/valuation/pool-flags.ts'
import type { ValuationContext } from '../../domain/valuation/pool-inputs.ts'
import { type PoolValues, toPoolValues } from '../../domain/valuation/value-pool.ts'
import {
  type Chunk,
  changedNumbers,
  editTable,
  getByNumber,
  memoizePerChunk,
  type PoolTable,
  poolsPerChunk,
} from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import {
  isSameShared,
  type MarketInputs,
  type SharedInputs,
  sharedInputsOf,
  toPoolInputs,
} from './market-inputs.ts'

/** A pool's values for lists, with their inputs and how long they stay valid. */
export type PoolRow = PoolValues & {
  readonly pool: ListedPool
  readonly shared: SharedInputs
  /**
   * The values do not change with time before this cursor time and this clock time; null: never.
   * `Infinity` would be a heap number of 16 bytes.
   */
  readonly untilAsOfTs: UnixSeconds | null
  readonly untilNow: UnixSeconds | null
}

/** Rows of the listed pools. */
export type PoolRows = PoolTable<PoolRow>

/** Returns the existing rows of these numbers. */
export const findRows = (rows: PoolRows, numbers: Iterable<PoolNumber>): readonly PoolRow[] => {
  const found: PoolRow[] = []
  for (const number of numbers) {
    const row = getByNumber(rows, number)
    if (row !== undefined) found.push(row)
  }
  return found
}

/** The rows of one model at one time. */
export type ValuedRows = {
  readonly model: Pick<ReadModel, 'pools'>
  readonly inputs: MarketInputs
  readonly rows: PoolRows
}

/** When fallback reserves become stale, or stop being ahead of the clock. */
const fallbackValidUntil = (
  { external }: ListedPool,
  { now, policy }: ValuationContext,
): UnixSeconds => {
  const { fallback } = external
  if (fallback === null) return Number.POSITIVE_INFINITY
  const age = ageOf(fallback.ts, now)
  if (age.kind !== 'age') return now
  const endTs = fallback.ts + policy.reserveMaxAgeSeconds
  return endTs < now ? Number.POSITIVE_INFINITY : endTs
}

const finite = (until: UnixSeconds): UnixSeconds | null => (Number.isFinite(until) ? until : null)

const isPast = (until: UnixSeconds | null, ts: UnixSeconds): boolean => until !== null && until < ts

const valuePool = (pool: ListedPool, shared: SharedInputs, context: ValuationContext): PoolRow => {
  const values = toPoolValues(toPoolInputs(pool, shared), context)
  return {
    pool,
    shared,
    untilAsOfTs: finite(activityValidUntil(pool, context.asOf.ts)),
    untilNow: finite(fallbackValidUntil(pool, context)),
    active: values.active,
    hot: values.hot,
    comparable: values.comparable,
    mayRepresent: values.mayRepresent,
    stockPriceUsd: values.stockPriceUsd,
    liquidityUsd: values.liquidityUsd,
    depthUsd: values.depthUsd,
    premiumBps: values.premiumBps,
    driftBps: values.driftBps,
    feeApr24h: values.feeApr24h,
  }
}

/** Freshness flags shared by all pools. */
const freshnessFlags = ({ now, asOf, enrichedTs, policy }: ValuationContext) => ({
  isStateFresh: isWithin(asOf.ts, { now, maxSeconds: policy.poolMaxAgeSeconds }),
  areReservesFresh: isWithin(enrichedTs, { now, maxSeconds: policy.reserveMaxAgeSeconds }),
})

const isSameFreshness = (a: ValuationContext, b: ValuationContext): boolean => {
  const [before, after] = [freshnessFlags(a), freshnessFlags(b)]
  return (
    before.isStateFresh === after.isStateFresh &&
    before.areReservesFresh === after.areReservesFresh &&
    // Rows have no start of validity: a clock that was set back invalidates them all.
    a.now <= b.now &&
    a.asOf.ts <= b.asOf.ts
  )
}

/** New inputs, and the previous rows if the shared freshness flags are the same. */
type Transition = { readonly inputs: MarketInputs; readonly before: ValuedRows | null }

const toTransition = (inputs: MarketInputs, given: ValuedRows | null): Transition => {
  const isReusable = given !== null && isSameFreshness(given.inputs.context, inputs.context)
  return { inputs, before: isReusable ? given : null }
}

/** Reuses the previous row if it is still valid. */
const reuseOrValue = (pool: ListedPool, { inputs, before }: Transition): PoolRow => {
  const shared = sharedInputsOf(pool, inputs)
  const row = before === null ? undefined : getByNumber(before.rows, pool.number)
  const isStillValid =
    row !== undefined &&
    row.pool === pool &&
    !isPast(row.untilAsOfTs, inputs.context.asOf.ts) &&
    !isPast(row.untilNow, inputs.context.now) &&
    isSameShared(row.shared, shared)
  return isStillValid ? row : valuePool(pool, shared, inputs.context)
}

/** The earliest end of validity in a chunk. */
const chunkValidity = memoizePerChunk((rows: Chunk<PoolRow>) => {
  let [untilAsOfTs, untilNow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const row of rows) {
    if (row === undefined) continue
    untilAsOfTs = Math.min(untilAsOfTs, row.untilAsOfTs ?? untilAsOfTs)
    untilNow = Math.min(untilNow, row.untilNow ?? untilNow)
  }
  return { untilAsOfTs, untilNow }
})

const changedKeys = <T>(
  before: ReadonlyMap<Address, T>,
  after: ReadonlyMap<Address, T>,
): readonly Address[] =>
  before === after ? [] : [...after.keys()].filter((key) => after.get(key) !== before.get(key))

/** Numbers of the pools whose row may change. */
const findAffectedPools = (
  { pools, numbersWith }: Pick<ReadModel, 'pools' | 'numbersWith'>,
  { inputs, before }: Transition,
): Iterable<PoolNumber> => {
  if (before === null) return changedNumbers([], pools)
  const numbers = new Set(changedNumbers(before.model.pools, pools))
  for (const addresses of [
    changedKeys(before.inputs.stocks, inputs.stocks),
    changedKeys(before.inputs.trusted, inputs.trusted),
  ]) {
    for (const address of addresses) for (const number of numbersWith(address)) numbers.add(number)
  }
  const { now, asOf } = inputs.context
  for (const [at, chunk] of before.rows.entries()) {
    const { untilAsOfTs, untilNow } = chunkValidity(chunk)
    if (asOf.ts <= untilAsOfTs && now <= untilNow) continue
    for (const slot of chunk.keys()) numbers.add(at * poolsPerChunk + slot)
  }
  return numbers
}

/** About five milliseconds of work. */
const rowsPerSlice = 1000

/**
 * Values all pools of a model, in slices. Recomputes only rows whose inputs changed since `before`;
 * returns the rows of `before` if none did.
 */
export const valueChangedPools = function* (
  model: Pick<ReadModel, 'pools' | 'numbersWith'>,
  inputs: MarketInputs,
  before: ValuedRows | null,
): Generator<void, PoolRows> {
  const transition = toTransition(inputs, before)
  const old = transition.before?.rows ?? []
  const rows = editTable(old)
  let computed = 0
  for (const number of findAffectedPools(model, transition)) {
    const pool = getByNumber(model.pools, number)
    const row = pool === undefined ? undefined : reuseOrValue(pool, transition)
    if (row === getByNumber(old, number)) continue
    rows.set(number, row)
    computed += 1
    if (computed % rowsPerSlice === 0) yield
  }
  return rows.finish()
}

export const valuePools = (
  pools: readonly ListedPool[],
  inputs: MarketInputs,
  before: ValuedRows | null,
): readonly PoolRow[] => {
  const transition = toTransition(inputs, before)
  return pools.map((pool) => reuseOrValue(pool, transition))
}
