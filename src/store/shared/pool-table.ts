import { protocols } from '../../domain/dex/registry.ts'
import {
  type PoolIdentity,
  type PoolState,
  type RawAmounts,
  zeroAmounts,
} from '../../domain/pool/pool-state.ts'
import type { Address, Hash } from '../../domain/units.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import { bigint, type ColumnValue, hex, integer, oneOf, orNull } from './codec.ts'
import { type Column, type Row, type Table, table } from './table.ts'

type IdentityRow = Omit<PoolIdentity, 'key'> &
  Omit<PoolIdentity['key'], 'deployer' | 'parameters'> & {
    readonly deployer: Address | null
    readonly parameters: Hash | null
  }

const identityCodecs = {
  number: integer,
  id: hex,
  version: oneOf(['v3', 'v4']),
  venue: hex,
  token0: hex,
  token1: hex,
  fee: integer,
  tickSpacing: integer,
  hooks: orNull(hex),
  parameters: orNull(hex),
  createdBlock: integer,
  createdTs: integer,
  protocol: oneOf(protocols.map(({ id }) => id)),
  deployer: orNull(hex),
}

const identityTable = table<IdentityRow>('pools', identityCodecs)

type StateRow = Omit<PoolState, 'price' | 'reserves' | 'depth' | 'fees' | 'settings'> & {
  readonly sqrtPriceX96: bigint | null
  readonly tick: number | null
  readonly reserve0: bigint | null
  readonly reserve1: bigint | null
  readonly depth0: bigint | null
  readonly depth1: bigint | null
  readonly lpFee: number | null
  readonly protocolFee: number | null
  readonly feesBlock: number | null
  readonly settingTickSpacing: number | null
  readonly pluginConfig: number | null
  readonly settingsBlock: number | null
}

const stateCodecs = {
  sqrtPriceX96: orNull(bigint),
  tick: orNull(integer),
  liquidity: bigint,
  reserve0: orNull(bigint),
  reserve1: orNull(bigint),
  mapFault: orNull(oneOf(['index_gap', 'hook_custom_accounting', 'reserve_short'])),
  lastSwapTs: orNull(integer),
  lastSwapBlock: orNull(integer),
  lastSwapFee: orNull(integer),
  depth0: orNull(bigint),
  depth1: orNull(bigint),
  lpFee: orNull(integer),
  protocolFee: orNull(integer),
  feesBlock: orNull(integer),
  settingTickSpacing: orNull(integer),
  pluginConfig: orNull(integer),
  settingsBlock: orNull(integer),
}

const stateTable = table<StateRow>('pools', stateCodecs)

/** Field by field, because a spread would copy each state of each batch. */
const toStateRow = (state: PoolState): StateRow => ({
  sqrtPriceX96: state.price?.sqrtPriceX96 ?? null,
  tick: state.price?.tick ?? null,
  liquidity: state.liquidity,
  reserve0: state.reserves?.amount0 ?? null,
  reserve1: state.reserves?.amount1 ?? null,
  mapFault: state.mapFault,
  lastSwapTs: state.lastSwapTs,
  lastSwapBlock: state.lastSwapBlock,
  lastSwapFee: state.lastSwapFee,
  depth0: state.depth?.amount0 ?? null,
  depth1: state.depth?.amount1 ?? null,
  lpFee: state.fees?.lpFee ?? null,
  protocolFee: state.fees?.protocolFee ?? null,
  feesBlock: state.fees?.block ?? null,
  settingTickSpacing: state.settings?.tickSpacing ?? null,
  pluginConfig: state.settings?.pluginConfig ?? null,
  settingsBlock: state.settings?.block ?? null,
})

const lastHot = orNull(integer)

const toKey = (row: IdentityRow): PoolIdentity['key'] => {
  const { token0, token1, fee, tickSpacing, hooks, deployer, parameters } = row
  const key = { token0, token1, fee, tickSpacing, hooks }
  if (deployer !== null) return { ...key, deployer }
  return parameters === null ? key : { ...key, parameters }
}

const toPrice = ({ sqrtPriceX96, tick }: StateRow): PoolState['price'] =>
  sqrtPriceX96 === null || tick === null ? null : { sqrtPriceX96, tick }

const toAmounts = (amount0: bigint | null, amount1: bigint | null): RawAmounts | null => {
  if (amount0 === null || amount1 === null) return null
  return amount0 === 0n && amount1 === 0n ? zeroAmounts : { amount0, amount1 }
}

const toFees = ({ lpFee, protocolFee, feesBlock: block }: StateRow): PoolState['fees'] =>
  lpFee === null || protocolFee === null || block === null ? null : { lpFee, protocolFee, block }

const toSettings = (row: StateRow): PoolState['settings'] => {
  const { settingTickSpacing: tickSpacing, pluginConfig, settingsBlock: block } = row
  if (tickSpacing === null || pluginConfig === null || block === null) return null
  return { tickSpacing, pluginConfig, block }
}

/** The columns that never change. */
export const poolIdentities: Table<PoolIdentity> = {
  name: 'pools',
  columns: identityTable.columns,
  forms: identityTable.forms,
  toRow: ({ key: { deployer = null, parameters = null, ...key }, ...identity }) =>
    identityTable.toRow({ ...identity, ...key, deployer, parameters }),
  fromRow: (columns) => {
    const row = identityTable.fromRow(columns)
    const { number, id, version, protocol, venue, createdBlock, createdTs } = row
    return { number, id, version, protocol, venue, key: toKey(row), createdBlock, createdTs }
  },
}

/** The columns that batches change. */
export const poolStates: Omit<Table<PoolState>, 'fromRow'> = {
  name: 'pools',
  columns: stateTable.columns,
  forms: stateTable.forms,
  toRow: (state) => stateTable.toRow(toStateRow(state)),
}

/** For one prepared statement; see `RecordTable.createParameters`. */
export const createStateParameters = (): ((state: PoolState) => ColumnValue[]) => {
  const toParameters = stateTable.createParameters()
  return (state) => toParameters(toStateRow(state))
}

type PoolRow = IdentityRow & StateRow & Pick<StoredPool, 'lastHotTs'>

const poolTable = table<PoolRow>('pools', {
  ...identityCodecs,
  ...stateCodecs,
  lastHotTs: lastHot,
})

export const poolColumns: readonly Column[] = poolTable.forms

/** Field by field: every pool is read at start, and joining two objects costs time and memory. */
export const poolFromRow = (columns: Row): StoredPool => {
  const row = poolTable.fromRow(columns)
  return {
    number: row.number,
    id: row.id,
    version: row.version,
    protocol: row.protocol,
    venue: row.venue,
    key: toKey(row),
    createdBlock: row.createdBlock,
    createdTs: row.createdTs,
    price: toPrice(row),
    liquidity: row.liquidity,
    reserves: toAmounts(row.reserve0, row.reserve1),
    depth: toAmounts(row.depth0, row.depth1),
    mapFault: row.mapFault,
    lastSwapTs: row.lastSwapTs,
    lastSwapBlock: row.lastSwapBlock,
    lastSwapFee: row.lastSwapFee,
    fees: toFees(row),
    settings: toSettings(row),
    lastHotTs: row.lastHotTs,
  }
}
