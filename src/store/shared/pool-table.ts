import type { PoolIdentity, PoolState } from '../../domain/pool/pool-state.ts'
import type { StoredPool } from '../../ports/store-rows.ts'
import { bigint, type ColumnValue, hex, integer, oneOf, orNull } from './codec.ts'
import { type Column, column, type Row, type Table, table } from './table.ts'

type IdentityRow = Omit<PoolIdentity, 'key'> & PoolIdentity['key']

const identityTable = table<IdentityRow>('pools', {
  number: integer,
  id: hex,
  version: oneOf(['v3', 'v4']),
  venue: hex,
  token0: hex,
  token1: hex,
  fee: integer,
  tickSpacing: integer,
  hooks: orNull(hex),
  createdBlock: integer,
  createdTs: integer,
})

type StateRow = Omit<PoolState, 'price' | 'reserves'> & {
  readonly sqrtPriceX96: bigint | null
  readonly tick: number | null
  readonly reserve0: bigint | null
  readonly reserve1: bigint | null
}

const stateTable = table<StateRow>('pools', {
  sqrtPriceX96: orNull(bigint),
  tick: orNull(integer),
  liquidity: bigint,
  reserve0: orNull(bigint),
  reserve1: orNull(bigint),
  mapFault: orNull(oneOf(['index_gap', 'hook_custom_accounting'])),
  lastSwapTs: orNull(integer),
  lastSwapBlock: orNull(integer),
  lastSwapFee: orNull(integer),
})

/** Field by field: a copy of the rest would be made for every pool of every batch. */
const stateRowOf = (state: PoolState): StateRow => ({
  sqrtPriceX96: state.price?.sqrtPriceX96 ?? null,
  tick: state.price?.tick ?? null,
  liquidity: state.liquidity,
  reserve0: state.reserves?.amount0 ?? null,
  reserve1: state.reserves?.amount1 ?? null,
  mapFault: state.mapFault,
  lastSwapTs: state.lastSwapTs,
  lastSwapBlock: state.lastSwapBlock,
  lastSwapFee: state.lastSwapFee,
})

const lastHot = orNull(integer)

/** What never changes, the first columns of a pool's row. */
export const poolIdentities: Table<PoolIdentity> = {
  name: 'pools',
  columns: identityTable.columns,
  forms: identityTable.forms,
  toRow: ({ key, ...identity }) => identityTable.toRow({ ...identity, ...key }),
  fromRow: (row) => {
    const { token0, token1, fee, tickSpacing, hooks, ...identity } = identityTable.fromRow(row)
    return { ...identity, key: { token0, token1, fee, tickSpacing, hooks } }
  },
}

/** What every batch may change, the columns after those. */
export const poolStates: Table<PoolState> = {
  name: 'pools',
  columns: stateTable.columns,
  forms: stateTable.forms,
  toRow: (state) => stateTable.toRow(stateRowOf(state)),
  fromRow: (row) => {
    const { sqrtPriceX96, tick, reserve0, reserve1, ...state } = stateTable.fromRow(row)
    return {
      ...state,
      price: sqrtPriceX96 === null || tick === null ? null : { sqrtPriceX96, tick },
      reserves:
        reserve0 === null || reserve1 === null ? null : { amount0: reserve0, amount1: reserve1 },
    }
  },
}

/** For one statement, as a `RecordTable` says. */
export const createStatePlaces = (): ((state: PoolState) => ColumnValue[]) => {
  const places = stateTable.createPlaces()
  return (state) => places(stateRowOf(state))
}

export const poolColumns: string = [
  ...poolIdentities.columns,
  ...poolStates.columns,
  'last_hot_ts',
].join(', ')

export const poolForms: readonly Column[] = [
  ...poolIdentities.forms,
  ...poolStates.forms,
  column('lastHotTs', lastHot),
]

export const poolFromRow = (row: Row): StoredPool => {
  const stateAt = poolIdentities.columns.length
  const lastHotAt = stateAt + poolStates.columns.length
  return {
    ...poolIdentities.fromRow(row),
    ...poolStates.fromRow(row.slice(stateAt, lastHotAt)),
    lastHotTs: lastHot.fromColumn(row[lastHotAt]),
  }
}
