import { stateAtCreation } from '../../domain/pool/pool-state.ts'
import type { EnrichmentBatch, LastSwap, PoolDepth, RangeBatch } from '../../ports/store-batches.ts'
import { bigint, type ColumnValue, integer, orNull, text } from '../shared/codec.ts'
import { poolIdentities, poolStates } from '../shared/pool-table.ts'
import type { Session } from '../shared/session.ts'
import { type Column, column } from '../shared/table.ts'
import type { RowWriters } from '../shared/transaction.ts'
import { createInsert, lastPerKey, runInChunks, unnestColumns } from './bulk-insert.ts'
import type { PostgresSession } from './session.ts'

const revisionColumn = column('revision', integer)
const numberColumn = column('number', integer)

type RowsUpdate = (session: Session, rows: readonly (readonly ColumnValue[])[]) => Promise<number>

const blank = poolStates.toRow(stateAtCreation(null))

const insertPools = createInsert(poolIdentities, {
  carried: [
    ...poolStates.forms.map((form, at) => ({ ...form, of: () => blank[at] ?? null })),
    { ...revisionColumn, of: (_: unknown, revision: number) => revision },
  ],
})

/** Updates pools with one statement; the last column is the number. */
const poolUpdate = (columns: readonly Column[], condition = ''): RowsUpdate => {
  const names = columns.map(({ name }) => name)
  const sets = names.slice(0, -1).map((name) => `${name} = given.${name}`)
  const sql = `UPDATE pools SET ${sets.join(', ')}
    FROM ${unnestColumns(columns)} AS given(${names.join(', ')})
    WHERE pools.number = given.number ${condition}`
  return (session, rows) => runInChunks(session, sql, columns, rows)
}

const updateStates = poolUpdate([...poolStates.forms, revisionColumn, numberColumn])

const setStates = async (
  session: Session,
  entries: RangeBatch['states'],
  revision: number,
): Promise<number> => {
  const last = lastPerKey(entries, ({ pool }) => pool)
  const rows = last.map(({ pool, state }) => [...poolStates.toRow(state), revision, pool])
  const changed = await updateStates(session, rows)
  if (changed < rows.length) throw new Error('store: a state belongs to no stored pool')
  return changed
}

const fillDepths = poolUpdate(
  [column('depth0', bigint), column('depth1', bigint), revisionColumn, numberColumn],
  'AND pools.depth0 IS NULL AND pools.reserve0 IS NOT NULL',
)

const setDepths = (
  session: Session,
  depths: readonly PoolDepth[],
  revision: number,
): Promise<number> =>
  fillDepths(
    session,
    lastPerKey(depths, ({ pool }) => pool).map(({ pool, depth }) => [
      bigint.toColumn(depth.amount0),
      bigint.toColumn(depth.amount1),
      revision,
      pool,
    ]),
  )

const updateLastHot = poolUpdate(
  [column('lastHotTs', integer), revisionColumn, numberColumn],
  'AND pools.last_hot_ts IS DISTINCT FROM given.last_hot_ts',
)

const setLastHot = (
  session: Session,
  hot: EnrichmentBatch['hot'],
  revision: number,
): Promise<number> =>
  updateLastHot(
    session,
    lastPerKey(hot, ({ pool }) => pool).map(({ pool, lastHotTs }) => [lastHotTs, revision, pool]),
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

/** Reserves and depth were computed before the swap showed that a hook holds the tokens. */
const setHookFault = poolUpdate(
  [
    column('mapFault', text),
    column('reserve0', orNull(bigint)),
    column('reserve1', orNull(bigint)),
    column('depth0', orNull(bigint)),
    column('depth1', orNull(bigint)),
    revisionColumn,
    numberColumn,
  ],
  'AND pools.map_fault IS NULL',
)

const fillLastSwaps = async (
  session: Session,
  lastSwaps: readonly LastSwap[],
  revision: number,
): Promise<number> => {
  // The first swap of a pool is stored, as if they were written one after the other.
  const first = lastPerKey(lastSwaps.toReversed(), ({ pool }) => pool)
  const rows = first.map(({ pool, ts, block, fee }) => [ts, block, fee, revision, pool])
  const filled = await fillLastSwap(session, rows)
  const served = new Set(lastSwaps.filter(({ isHookServed }) => isHookServed).map((e) => e.pool))
  const faults = [...served].map((pool) => [
    'hook_custom_accounting',
    ...[null, null, null, null],
    revision,
    pool,
  ])
  return filled + (await setHookFault(session, faults))
}

/** Writes rows of pools. */
export const createPoolWriters = (
  session: PostgresSession,
): Pick<RowWriters, 'pools' | 'states' | 'depths' | 'lastHot' | 'lastSwaps'> => ({
  pools: (records, revision) => insertPools(session, records, revision),
  states: (records, revision) => setStates(session, records, revision),
  depths: (records, revision) => setDepths(session, records, revision),
  lastHot: (records, revision) => setLastHot(session, records, revision),
  lastSwaps: (records, revision) => fillLastSwaps(session, records, revision),
})
