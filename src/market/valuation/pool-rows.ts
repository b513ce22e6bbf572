import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { ageOf, isWithin } from '../../domain/status/freshness.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { activityValidUntil } from '../../domain/valuation/pool-flags.ts'
import {
  type PoolValues,
  toPoolValues,
  type ValuationContext,
} from '../../domain/valuation/value-pool.ts'
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

/** A pool as lists need it, with what it was computed from and how long that holds. */
export type PoolRow = PoolValues & {
  readonly pool: ListedPool
  readonly shared: SharedInputs
  /**
   * Up to this time of the index, and of the clock, nothing changes by the passing of time; null:
   * ever. As `Infinity` it would be a number outside of the record, which takes 16 bytes each.
   */
  readonly untilAsOfTs: UnixSeconds | null
  readonly untilNow: UnixSeconds | null
}

/** Of the pools that have an pool. */
export type PoolRows = PoolTable<PoolRow>

/** The rows of these numbers that there are. */
export const findRows = (rows: PoolRows, numbers: Iterable<PoolNumber>): readonly PoolRow[] => {
  const found: PoolRow[] = []
  for (const number of numbers) {
    const row = getByNumber(rows, number)
    if (row !== undefined) found.push(row)
  }
  return found
}

/** The rows of one model at one moment. */
export type ValuedRows = {
  readonly model: Pick<ReadModel, 'pools'>
  readonly inputs: MarketInputs
  readonly rows: PoolRows
}

/** When reserves that something else tells grow too old, or cease to be ahead of the clock. */
const fallbackHoldsUntil = (
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

const rowOf = (pool: ListedPool, shared: SharedInputs, context: ValuationContext): PoolRow => {
  const values = toPoolValues(toPoolInputs(pool, shared), context)
  return {
    pool,
    shared,
    untilAsOfTs: finite(activityValidUntil(pool, context.asOf.ts)),
    untilNow: finite(fallbackHoldsUntil(pool, context)),
    active: values.active,
    hot: values.hot,
    comparable: values.comparable,
    stockPriceUsd: values.stockPriceUsd,
    liquidityUsd: values.liquidityUsd,
    premiumBps: values.premiumBps,
    driftBps: values.driftBps,
  }
}

/** What the clock says of all pools alike. While that is the same, only their own facts matter. */
const outlookOf = ({ now, asOf, enrichedTs, policy }: ValuationContext) => ({
  isStateFresh: isWithin(asOf.ts, { now, maxSeconds: policy.poolMaxAgeSeconds }),
  areReservesFresh: isWithin(enrichedTs, { now, maxSeconds: policy.reserveMaxAgeSeconds }),
})

const isSameOutlook = (a: ValuationContext, b: ValuationContext): boolean => {
  const [before, after] = [outlookOf(a), outlookOf(b)]
  return (
    before.isStateFresh === after.isStateFresh &&
    before.areReservesFresh === after.areReservesFresh &&
    // Rows say until when they hold, not since when: a clock set back makes them worthless.
    a.now <= b.now &&
    a.asOf.ts <= b.asOf.ts
  )
}

/** A moment, and the rows of before if the clock says the same of all pools then and now. */
type Passage = { readonly inputs: MarketInputs; readonly before: ValuedRows | null }

const passageOf = (inputs: MarketInputs, given: ValuedRows | null): Passage => {
  const isOfUse = given !== null && isSameOutlook(given.inputs.context, inputs.context)
  return { inputs, before: isOfUse ? given : null }
}

/** The row of before where it holds. */
const rowAt = (pool: ListedPool, { inputs, before }: Passage): PoolRow => {
  const shared = sharedInputsOf(pool, inputs)
  const row = before === null ? undefined : getByNumber(before.rows, pool.number)
  const holds =
    row !== undefined &&
    row.pool === pool &&
    !isPast(row.untilAsOfTs, inputs.context.asOf.ts) &&
    !isPast(row.untilNow, inputs.context.now) &&
    isSameShared(row.shared, shared)
  return holds ? row : rowOf(pool, shared, inputs.context)
}

/** Until when all rows of a piece hold by themselves. */
const endsOf = memoizePerChunk((rows: Chunk<PoolRow>) => {
  let [untilAsOfTs, untilNow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const row of rows) {
    if (row === undefined) continue
    untilAsOfTs = Math.min(untilAsOfTs, row.untilAsOfTs ?? untilAsOfTs)
    untilNow = Math.min(untilNow, row.untilNow ?? untilNow)
  }
  return { untilAsOfTs, untilNow }
})

const keysDiffering = <T>(
  before: ReadonlyMap<Address, T>,
  after: ReadonlyMap<Address, T>,
): readonly Address[] =>
  before === after ? [] : [...after.keys()].filter((key) => after.get(key) !== before.get(key))

/** The pools of which the row may be another one: all others' hold. */
const numbersInQuestion = (
  { pools, numbersWith }: Pick<ReadModel, 'pools' | 'numbersWith'>,
  { inputs, before }: Passage,
): Iterable<PoolNumber> => {
  if (before === null) return changedNumbers([], pools)
  const numbers = new Set(changedNumbers(before.model.pools, pools))
  for (const addresses of [
    keysDiffering(before.inputs.stocks, inputs.stocks),
    keysDiffering(before.inputs.trusted, inputs.trusted),
  ]) {
    for (const address of addresses) for (const number of numbersWith(address)) numbers.add(number)
  }
  const { now, asOf } = inputs.context
  for (const [at, piece] of before.rows.entries()) {
    const { untilAsOfTs, untilNow } = endsOf(piece)
    if (asOf.ts <= untilAsOfTs && now <= untilNow) continue
    for (const place of piece.keys()) numbers.add(at * poolsPerChunk + place)
  }
  return numbers
}

/** About five milliseconds of work. */
const rowsPerSlice = 1000

/**
 * Values all pools of a model at a moment, computing only those of which an input has changed since
 * `before`; the rows of before are the result when none has. Yields now and then.
 */
export const valueChangedPools = function* (
  model: Pick<ReadModel, 'pools' | 'numbersWith'>,
  inputs: MarketInputs,
  before: ValuedRows | null,
): Generator<void, PoolRows> {
  const passage = passageOf(inputs, before)
  const old = passage.before?.rows ?? []
  const rows = editTable(old)
  let computed = 0
  for (const number of numbersInQuestion(model, passage)) {
    const pool = getByNumber(model.pools, number)
    const row = pool === undefined ? undefined : rowAt(pool, passage)
    if (row === getByNumber(old, number)) continue
    rows.set(number, row)
    computed += 1
    if (computed % rowsPerSlice === 0) yield
  }
  return rows.finish()
}

/** The rows of some pools only. */
export const valuePools = (
  pools: readonly ListedPool[],
  inputs: MarketInputs,
  before: ValuedRows | null,
): readonly PoolRow[] => {
  const passage = passageOf(inputs, before)
  return pools.map((pool) => rowAt(pool, passage))
}
