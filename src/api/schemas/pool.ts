import { Type } from 'typebox'
import { protocols } from '../../domain/dex/registry.ts'
import type { HookFlags } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import { dataStatuses, statusReasons } from '../../domain/status/data-status.ts'
import { type PoolView, poolKinds, reserveSources } from '../../domain/views/pool.ts'
import type { Page } from '../../market/market.ts'
import {
  addressSchema,
  bigIntegerSchema,
  blockSchema,
  countSchema,
  describes,
  feeSchema,
  field,
  hashSchema,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableBlock,
  nullableRatio,
  nullableTime,
  nullableTokens,
  nullableUsd,
  poolIdSchema,
  record,
  shareSchema,
  tickSchema,
} from './fields.ts'
import { pageSchema } from './page.ts'

const flag = (description: string, example: boolean) => field(Type.Boolean(), description, example)

const permission = (callback: string) => flag(`The hook implements ${callback}.`, false)
const deltaPermission = (callback: string) =>
  flag(`The hook may change the amounts that ${callback} settles.`, false)

/** Names as in Hooks.Permissions (v4-core Hooks.sol). */
export const HookFlagsSchema = describes<HookFlags>()(
  record('Permissions of a v4 hook, the low 14 bits of its address.', {
    beforeInitialize: permission('beforeInitialize'),
    afterInitialize: permission('afterInitialize'),
    beforeAddLiquidity: permission('beforeAddLiquidity'),
    afterAddLiquidity: permission('afterAddLiquidity'),
    beforeRemoveLiquidity: permission('beforeRemoveLiquidity'),
    afterRemoveLiquidity: permission('afterRemoveLiquidity'),
    beforeSwap: permission('beforeSwap'),
    afterSwap: permission('afterSwap'),
    beforeDonate: permission('beforeDonate'),
    afterDonate: permission('afterDonate'),
    beforeSwapReturnDelta: deltaPermission('a swap (before)'),
    afterSwapReturnDelta: deltaPermission('a swap (after)'),
    afterAddLiquidityReturnDelta: deltaPermission('adding liquidity'),
    afterRemoveLiquidityReturnDelta: deltaPermission('removing liquidity'),
  }),
)

export const dataStatusField = field(
  Type.Enum([...dataStatuses]),
  'Freshness of the row, computed when read.',
  'fresh',
)
export const statusReasonsField = field(
  listOf(Type.Enum([...statusReasons]), statusReasons.length),
  'Why the row is not fresh or not comparable; may be empty.',
  ['quote_old'],
)

const identity = {
  id: field(
    poolIdSchema,
    'v3: the pool address (42 characters). v4: the PoolId (66 characters).',
    '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b',
  ),
  version: field(
    Type.Enum(['v3', 'v4']),
    'v3: the pool is a contract. v4: one contract holds the pools, by id.',
    'v3',
  ),
  kind: field(
    Type.Enum([...poolKinds]),
    'canonical: a stock against a trusted quote token; meme: against any other token; stock-stock.',
    'canonical',
  ),
  createdBlock: field(blockSchema, 'Block of PoolCreated (v3) or Initialize (v4).', 1_204_880),
}

const tokens = {
  token0: field(
    addressSchema,
    'The lower of the two token addresses; the zero address is native ETH (v4 only).',
    '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  ),
  token1: field(
    addressSchema,
    'The higher of the two token addresses.',
    '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
  ),
  stockSymbol: field(
    Type.String(),
    "Ticker in the issuer's registry, not the symbol of the contract.",
    'NVDA',
  ),
  stockIsToken0: flag(
    'Whether token0 is the stock; in a stock-stock pool token0 is the stock side.',
    false,
  ),
  otherSymbol: field(
    nullable(Type.String({ maxLength: 32 })),
    'Cleaned symbol of the other token; the registry name for trusted tokens, ETH for native.',
    'WETH',
  ),
  otherAddress: field(
    addressSchema,
    'The token that the stock is paired with.',
    '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  ),
  stockAddress: field(
    addressSchema,
    'The stock token.',
    '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
  ),
}

const setUp = {
  fee: field(
    feeSchema,
    'Fee of the pool key, or that of the last log that set it; 8388608 marks another that changes.',
    3_000,
  ),
  tickSpacing: field(
    Type.Integer({ minimum: 0, 'x-unit': 'ticks' }),
    'Distance between usable ticks; 0 in a pool of Algebra without a price.',
    60,
  ),
  hooks: field(
    nullable(addressSchema),
    'v4 hook contract, the zero address without one; null for v3.',
    null,
  ),
}

const readState = {
  active: flag('Initialized, with liquidity in range, and new or traded in the last 7 days.', true),
  hot: flag('Active, traded in the last 15 minutes, and large or busy.', false),
  lastSwapTs: nullableTime('Time of the last confirmed swap.', 1_795_215_600),
  lastSwapBlock: nullableBlock('Block of the last confirmed swap.', 24_880_412),
  stateTs: nullableTime('Time of the block that the raw state is valid as of.', 1_795_215_602),
  enrichedTs: nullableTime('When reserves and dollar values were last computed.', 1_795_215_601),
}

const rawState = {
  sqrtPriceX96: field(
    nullable(bigIntegerSchema),
    'Square root of the raw price (token1 per token0) times 2^96, as decimal text.',
    '79228162514264337593543950336',
  ),
  liquidity: field(
    nullable(bigIntegerSchema),
    'Liquidity in range, in raw units, as decimal text.',
    '523000000000000000',
  ),
}

const amounts = {
  stockReserve: nullableTokens('Stock tokens in the pool.', 5_120.25),
  otherReserve: nullableTokens('Other tokens in the pool.', 310.5),
  reserveSource: field(
    nullable(Type.Enum([...reserveSources])),
    'ticks: from liquidity events; balance: an upper bound (v3); screener: a third party.',
    'ticks',
  ),
}

const prices = {
  stockPriceInOther: nullableRatio('Price of one stock token.', 0.0606),
  stockPriceUsd: nullableUsd('Price of one stock token.', 225.4),
  otherPriceUsd: nullableUsd('Price of one other token.', 3_719.47),
}

const valueAndVolume = {
  liquidityUsd: nullableUsd(
    'Value of the reserves; a side without independent price counts at most as the other.',
    2_308_933.2,
  ),
  vol1hUsd: nullableUsd('Volume in the last hour.', 18_400.75),
  vol24hUsd: nullableUsd('Volume in the last 24 hours.', 402_118.1),
}

const trust = {
  comparable: flag('Whether the price may be compared with the reference price.', true),
  dataStatus: dataStatusField,
}

const additions = {
  statusReasons: statusReasonsField,
  tick: field(nullable(tickSchema), 'The current tick.', -28_040),
  feeDynamic: flag('Whether a v4 hook, a plugin or a module of the venue sets the fee.', false),
  lastSwapFee: field(
    nullable(feeSchema),
    'Fee paid by the last swap; null without one, or if no log says it.',
    3_000,
  ),
  hookFlags: field(nullable(HookFlagsSchema), 'Permissions of the hook; null for v3.', null),
  premiumBps: nullableBasisPoints(
    'Pool price over the independent reference price while the exchange is open.',
    12.5,
  ),
  driftBps: nullableBasisPoints(
    'Pool price over the last reference price while the exchange is closed.',
    null,
  ),
  asOfBlock: nullableBlock('Block at which the row is valid.', 24_880_431),
  swaps24h: field(countSchema, 'Swaps in the last 24 hours.', 812),
  estimatedSwaps24h: field(
    countSchema,
    'Swaps among these that were priced with a reference from another time.',
    0,
  ),
  depthUsd: nullableUsd(
    'Trusted side that moves the price by 2 %, the smaller direction, fees excluded.',
    19_400.5,
  ),
  parameters: field(
    nullable(hashSchema),
    'PancakeSwap Infinity: `parameters` of the pool key; null for other protocols.',
    null,
  ),
  protocol: field(
    Type.Enum(protocols.map(({ id }) => id)),
    'Whose rules the contracts follow: those of the DEX or of one that it was copied from.',
    'uniswap-v3',
  ),
  venue: field(
    Type.String({ minLength: 1, maxLength: 40 }),
    'Name of the factory or PoolManager that the pool is of, for people.',
    'Uniswap v3',
  ),
  deployer: field(
    nullable(addressSchema),
    'Deployer of a custom pool of Algebra, which its router and quoter ask for; null elsewhere.',
    null,
  ),
  lpFee: field(
    nullable(feeSchema),
    'LP fee as last known; null until it is read. Where no log says it, that of the last read.',
    3_000,
  ),
  feeBlock: nullableBlock(
    'Block of the creation, log or read since which the LP fee holds as far as is known.',
    24_880_431,
  ),
  otherImitates: field(
    nullable(Type.String()),
    'Symbol of the verified token that the other token imitates by its symbol or name.',
    null,
  ),
  feeApr24h: field(
    nullable(Type.Number({ minimum: 0, 'x-unit': 'part of one a year' })),
    'LP fees of 24 hours by the dollars in range (±10 %), times 365; 0.5 is 50 % a year.',
    0.412,
  ),
  vol24hFilteredUsd: nullableUsd(
    'That volume without wash trades (methodology §5); null while traders are unknown.',
    361_906.3,
  ),
  traders24h: field(
    nullable(countSchema),
    'Senders of the transactions of the last 24 hours; null while too many are unknown.',
    143,
  ),
  washShare24h: field(
    nullable(shareSchema),
    'Part of the volume of 24 hours that is left out, 0 to 1; null without volume.',
    0.1,
  ),
}

export const PoolSchema = describes<PoolView>()(
  record('A liquidity pool that holds a tokenized stock.', {
    ...identity,
    ...tokens,
    ...setUp,
    ...readState,
    ...rawState,
    ...amounts,
    ...prices,
    ...valueAndVolume,
    ...trust,
    ...additions,
  }),
)

export const PoolsPageSchema = describes<Page<PoolView>>()(
  pageSchema(PoolSchema, 'One page of pools.'),
)
