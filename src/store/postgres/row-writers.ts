import { mergeCandles } from '../../domain/ingest/candles.ts'
import { stateAtCreation } from '../../domain/pool/pool-state.ts'
import type {
  Candle,
  CandleWidth,
  ReferencePoint,
  StoredSwap,
} from '../../domain/pool/stored-events.ts'
import type { Address } from '../../domain/units.ts'
import type { Batch, Enrichment, LastSwap } from '../../ports/store-rows.ts'
import { bigint, type ColumnValue, hex, integer, orNull, text } from '../shared/codec.ts'
import { candleMerge, earlierCandleMerge, referenceMerge } from '../shared/merges.ts'
import { poolIdentities, poolStates } from '../shared/pool-table.ts'
import { type Column, column, table } from '../shared/table.ts'
import {
  blocks,
  candles,
  liquidityChanges,
  referencePoints,
  referenceRank,
  swaps,
  ticks,
} from '../shared/tables.ts'
import { insertion, lastOfEach, replacement, runOver, unnestOf } from './insertion.ts'
import type { Session } from './session.ts'
import type { Transaction } from './writing.ts'

export const writeBlocks = replacement(blocks, ['block'])
const insertSwaps = insertion(swaps)

export const addSwaps = async (tx: Transaction, records: readonly StoredSwap[]): Promise<void> => {
  const times = records.map(({ ts }) => ts)
  await tx.partitions.ensure(tx, 'swaps', times)
  await insertSwaps(tx, records)
}

export const insertLiquidity = insertion(liquidityChanges)

const revisionColumn = column('revision', integer)
const numberColumn = column('number', integer)

type RowsUpdate = (session: Session, rows: readonly (readonly ColumnValue[])[]) => Promise<number>

const blank = poolStates.toRow(stateAtCreation(null))

export const insertPools = insertion(poolIdentities, {
  carried: [
    ...poolStates.forms.map((form, at) => ({ ...form, of: () => blank[at] ?? null })),
    { ...revisionColumn, of: (_: unknown, revision: number) => revision },
  ],
})

/** Changes pools by their number, all by one statement; the columns end with number. */
const poolUpdate = (columns: readonly Column[], rest = ''): RowsUpdate => {
  const names = columns.map(({ name }) => name)
  const sets = names.slice(0, -1).map((name) => `${name} = given.${name}`)
  const sql = `UPDATE pools SET ${sets.join(', ')}
    FROM ${unnestOf(columns)} AS given(${names.join(', ')})
    WHERE pools.number = given.number ${rest}`
  return (session, rows) => runOver(session, sql, columns, rows)
}

const updateStates = poolUpdate([...poolStates.forms, revisionColumn, numberColumn])

export const setStates = async (
  session: Session,
  entries: Batch['states'],
  revision: number,
): Promise<void> => {
  const last = lastOfEach(entries, ({ pool }) => pool)
  const rows = last.map(({ pool, state }) => [...poolStates.toRow(state), revision, pool])
  const changed = await updateStates(session, rows)
  if (changed < rows.length) throw new Error('store: a state has no pool')
}

const updateHeat = poolUpdate(
  [column('lastHotTs', integer), revisionColumn, numberColumn],
  'AND pools.last_hot_ts IS DISTINCT FROM given.last_hot_ts',
)

export const setLastHot = (
  session: Session,
  hot: Enrichment['hot'],
  revision: number,
): Promise<number> =>
  updateHeat(
    session,
    lastOfEach(hot, ({ pool }) => pool).map(({ pool, lastHotTs }) => [lastHotTs, revision, pool]),
  )

const fillLastSwap = poolUpdate(
  [
    column('lastSwapTs', integer),
    column('lastSwapBlock', integer),
    column('lastSwapFee', orNull(integer)),
    revisionColumn,
    numberColumn,
  ],
  'AND pools.last_swap_ts IS NULL',
)

/** A hook that holds the tokens was not known when the reserves were computed by the map. */
const serveByHook = poolUpdate(
  [
    column('mapFault', text),
    column('reserve0', orNull(bigint)),
    column('reserve1', orNull(bigint)),
    revisionColumn,
    numberColumn,
  ],
  'AND pools.map_fault IS NULL',
)

export const fillLastSwaps = async (
  session: Session,
  lastSwaps: readonly LastSwap[],
  revision: number,
): Promise<void> => {
  // Of several the first one fills, as if they came one after the other.
  const first = lastOfEach(lastSwaps.toReversed(), ({ pool }) => pool)
  const rows = first.map(({ pool, ts, block, fee }) => [ts, block, fee, revision, pool])
  await fillLastSwap(session, rows)
  const served = new Set(lastSwaps.filter(({ isHookServed }) => isHookServed).map((e) => e.pool))
  const faults = [...served].map((pool) => ['hook_custom_accounting', null, null, revision, pool])
  await serveByHook(session, faults)
}

const upsertTicks = replacement(ticks, ['pool', 'tick'])
const tickKeys = ticks.forms.slice(0, 2)
const removeText = `DELETE FROM ticks USING ${unnestOf(tickKeys)} AS given(pool, tick)
  WHERE ticks.pool = given.pool AND ticks.tick = given.tick`

export const putTicks = async (session: Session, records: Batch['ticks']): Promise<void> => {
  const last = lastOfEach(records, ({ pool, tick }) => `${pool} ${tick}`)
  const gone = last.filter(({ gross }) => gross === 0n).map(({ pool, tick }) => [pool, tick])
  await runOver(session, removeText, tickKeys, gone)
  await upsertTicks(
    session,
    last.filter(({ gross }) => gross !== 0n),
  )
}

/** Buckets of one key merged, since a statement meets a key once. */
const mergedBy = (
  records: readonly Candle[],
  merge: (first: Candle, next: Candle) => Candle,
): readonly Candle[] => {
  const merged = new Map<string, Candle>()
  for (const candle of records) {
    const key = `${candle.pool} ${candle.width} ${candle.ts}`
    const first = merged.get(key)
    merged.set(key, first === undefined ? candle : merge(first, candle))
  }
  return [...merged.values()]
}

const insertLater = insertion(candles, { conflict: candleMerge })
const insertEarlier = insertion(candles, { conflict: earlierCandleMerge })

/** Only minutes are forgotten, and so only they stand in days. */
const minutesOf = (records: readonly { readonly width: CandleWidth; readonly ts: number }[]) =>
  records.filter(({ width }) => width === 60).map(({ ts }) => ts)

/** The stored half is the earlier one. */
export const addCandles = async (tx: Transaction, records: readonly Candle[]): Promise<void> => {
  await tx.partitions.ensure(tx, 'candles_minutes', minutesOf(records))
  await insertLater(tx, mergedBy(records, mergeCandles))
}

/** The stored half is the later one. */
export const addEarlierCandles = async (
  tx: Transaction,
  records: readonly Candle[],
): Promise<void> => {
  await tx.partitions.ensure(tx, 'candles_minutes', minutesOf(records))
  const earlierFirst = (first: Candle, next: Candle) => mergeCandles(next, first)
  await insertEarlier(tx, mergedBy(records, earlierFirst))
}

const rank = {
  name: 'rank',
  kind: 'integer',
  of: ({ source }: ReferencePoint) => referenceRank[source],
} as const

const mergeReferences = insertion(referencePoints, { conflict: referenceMerge, carried: [rank] })
const keepReferences = insertion(referencePoints, {
  conflict: 'ON CONFLICT (address, width, ts) DO NOTHING',
  carried: [rank],
})

export const addReferences = async (
  tx: Transaction,
  points: readonly ReferencePoint[],
): Promise<number> => {
  await tx.partitions.ensure(tx, 'reference_points_minutes', minutesOf(points))
  const best = new Map<string, ReferencePoint>()
  for (const point of points) {
    const key = `${point.address} ${point.width} ${point.ts}`
    const held = best.get(key)
    const isHeld = held !== undefined && referenceRank[held.source] > referenceRank[point.source]
    if (!isHeld) best.set(key, point)
  }
  return mergeReferences(tx, [...best.values()])
}

/** Whatever is kept is later, or from a better source. */
export const addEarlierReferences = async (
  tx: Transaction,
  points: readonly ReferencePoint[],
): Promise<number> => {
  await tx.partitions.ensure(tx, 'reference_points_minutes', minutesOf(points))
  return keepReferences(tx, points)
}

type Searched = { readonly address: Address }

const insertSearched = insertion(table<Searched>('searched', { address: hex }), {
  conflict: 'ON CONFLICT (address) DO NOTHING',
})

export const addSearched = (session: Session, stocks: readonly Address[]): Promise<number> =>
  insertSearched(
    session,
    stocks.map((address) => ({ address })),
  )
