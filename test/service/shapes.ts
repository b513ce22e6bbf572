import {
  isAddress,
  isBigInteger,
  isBoolean,
  isCount,
  isHash,
  isInteger,
  isListOf,
  isNotNegative,
  isNullOr,
  isNumber,
  isOfShape,
  isOneOf,
  isPoolId,
  isString,
  isText,
  isTick,
  isUnixSeconds,
  type Shape,
} from './shape.ts'

/*
 * The interface as its documents say it (docs/api.md), written down once more: by hand, and not by
 * the schemas that the service answers with.
 */

export const isCode = isOneOf(
  ...['state_old', 'quote_old', 'quote_missing', 'reserve_old', 'reserve_missing'],
  ...['other_price_missing', 'market_closed', 'trading_halt', 'oracle_paused'],
  ...['multiplier_pending', 'hook_custom_accounting', 'decimals_unknown', 'index_gap'],
  ...['clock_ahead', 'reference_conflict', 'premium_implausible', 'depth_thin', 'fee_excessive'],
  ...['hook_unreviewed', 'volume_implausible', 'quote_unconfirmed', 'multiplier_old'],
  ...['reserve_short', 'reserve_rebasing'],
)
export const isDataStatus = isOneOf('fresh', 'partial', 'stale', 'unavailable')
const isAmount = isNullOr(isNotNegative)
const isShare = isNullOr(isNotNegative)
const isTime = isNullOr(isUnixSeconds)
const isMultiplier = isNullOr(isText(/^[0-9]+\.[0-9]{18}$/))

export const sourceShape: Shape = {
  source: isOneOf('quotes', 'pools', 'swaps', 'screener'),
  state: isOneOf('pending', 'ok', 'degraded', 'stale', 'down', 'disabled'),
  lastAttemptTs: isTime,
  lastSuccessTs: isTime,
  lastError: isNullOr(isText(/^.{1,200}$/s)),
  ageSeconds: isNullOr(isInteger),
}

export const healthShape: Shape = {
  ok: isBoolean,
  ts: isUnixSeconds,
  methodologyVersion: isText(/^\d+\.\d+\.\d+$/),
  pools: isOfShape({
    total: isCount,
    active: isCount,
    hot: isCount,
    v3: isCount,
    v4: isCount,
    meme: isCount,
    canonical: isCount,
  }),
  ethUsd: isAmount,
  sources: isListOf(isOfShape(sourceShape)),
}

export const statusShape: Shape = {
  ts: isUnixSeconds,
  policy: isOfShape({
    quoteMaxAgeSeconds: isOneOf(45),
    poolMaxAgeSeconds: isOneOf(30),
    reserveMaxAgeSeconds: isOneOf(120),
    confirmations: isOneOf(20),
  }),
  sources: isListOf(isOfShape(sourceShape)),
  chain: isOfShape({
    chainId: isOneOf(466_300),
    network: isOneOf('sandbox'),
    headBlock: isNullOr(isCount),
    indexedBlock: isNullOr(isCount),
    indexedTs: isTime,
    settledBlock: isNullOr(isCount),
    lagBlocks: isNullOr(isCount),
    lagSeconds: isNullOr(isInteger),
    backfill: isOfShape({
      phase: isOneOf('discover', 'liquidity', 'state', 'swaps', 'done'),
      done: isCount,
      total: isCount,
      etaSeconds: isNullOr(isCount),
    }),
    searches: isListOf(
      isOfShape({
        address: isAddress,
        kind: isOneOf('stock', 'venue', 'trusted'),
        fromBlock: isCount,
        done: isCount,
        total: isCount,
      }),
    ),
    coverage: isNullOr(isOfShape({ checkedTs: isUnixSeconds, checked: isCount, missing: isCount })),
    verified: isBoolean,
    repairs: isCount,
    writer: isOneOf(null),
  }),
  coverage: isListOf(
    isOfShape({
      venue: isString,
      address: isAddress,
      pools: isNullOr(isCount),
      expected: isNullOr(isCount),
      checkedBlock: isNullOr(isCount),
    }),
  ),
}

/** The permission bits of a v4 hook's address by name, the highest of the 14 first (Hooks.sol). */
export const hookFlagNames = [
  ...['beforeInitialize', 'afterInitialize', 'beforeAddLiquidity', 'afterAddLiquidity'],
  ...['beforeRemoveLiquidity', 'afterRemoveLiquidity', 'beforeSwap', 'afterSwap'],
  ...['beforeDonate', 'afterDonate', 'beforeSwapReturnDelta', 'afterSwapReturnDelta'],
  ...['afterAddLiquidityReturnDelta', 'afterRemoveLiquidityReturnDelta'],
] as const

/** The interface document's section 2.3, group by group. */
export const documentedPoolShape: Shape = {
  id: isPoolId,
  version: isOneOf('v3', 'v4'),
  kind: isOneOf('canonical', 'meme', 'stock-stock'),
  createdBlock: isCount,
  token0: isAddress,
  token1: isAddress,
  stockSymbol: isText(/^[A-Z0-9.-]{1,16}$/),
  stockIsToken0: isBoolean,
  otherSymbol: isNullOr(isText(/^.{1,32}$/su)),
  otherAddress: isAddress,
  stockAddress: isAddress,
  fee: isCount,
  tickSpacing: isCount,
  hooks: isNullOr(isAddress),
  active: isBoolean,
  hot: isBoolean,
  lastSwapTs: isTime,
  lastSwapBlock: isNullOr(isCount),
  stateTs: isTime,
  enrichedTs: isTime,
  sqrtPriceX96: isNullOr(isBigInteger),
  liquidity: isNullOr(isBigInteger),
  stockReserve: isAmount,
  otherReserve: isAmount,
  reserveSource: isOneOf('ticks', 'balance', 'screener', null),
  stockPriceInOther: isAmount,
  stockPriceUsd: isAmount,
  otherPriceUsd: isAmount,
  liquidityUsd: isAmount,
  vol1hUsd: isAmount,
  vol24hUsd: isAmount,
  comparable: isBoolean,
  dataStatus: isDataStatus,
}

export const poolShape: Shape = {
  ...documentedPoolShape,
  statusReasons: isListOf(isCode),
  tick: isNullOr(isTick),
  feeDynamic: isBoolean,
  lastSwapFee: isNullOr(isCount),
  hookFlags: isNullOr(
    isOfShape(Object.fromEntries(hookFlagNames.map((name) => [name, isBoolean]))),
  ),
  premiumBps: isNullOr(isNumber),
  driftBps: isNullOr(isNumber),
  asOfBlock: isNullOr(isCount),
  swaps24h: isCount,
  estimatedSwaps24h: isCount,
  depthUsd: isAmount,
  parameters: isNullOr(isHash),
  protocol: isOneOf(
    'uniswap-v3',
    'uniswap-v4',
    'pancakeswap-v3',
    'slipstream',
    'algebra-integral',
    'pancakeswap-infinity-cl',
    'ramses-v3',
  ),
  venue: isText(/^.{1,40}$/),
  deployer: isNullOr(isAddress),
  lpFee: isNullOr(isCount),
  feeBlock: isNullOr(isCount),
  otherImitates: isNullOr(isString),
  feeApr24h: isAmount,
  vol24hFilteredUsd: isAmount,
  traders24h: isNullOr(isCount),
  washShare24h: isShare,
}

export const pageShape: Shape = {
  items: Array.isArray,
  total: isCount,
  limit: isCount,
  offset: isCount,
}

export const poolDetailShape: Shape = {
  pool: isOfShape(poolShape),
  series: Array.isArray,
  swaps: Array.isArray,
  screener: isNullOr(
    isOfShape({
      liquidityUsd: isAmount,
      ts: isUnixSeconds,
      differenceBps: isNullOr(isNumber),
      agrees: isNullOr(isBoolean),
    }),
  ),
  hookReview: isNullOr(
    isOfShape({
      verdict: isOneOf('reviewed', 'unreviewed', 'harmless'),
      note: isNullOr(isText(/^.{1,500}$/su)),
    }),
  ),
  // Only a request with asOfBlock or asOfTs asks for it.
  past: (value) => value === null,
}

export const poolSeriesShape: Shape = {
  ts: isUnixSeconds,
  open: isAmount,
  high: isAmount,
  low: isAmount,
  close: isAmount,
  stockPriceInOther: isAmount,
  stockPriceUsd: isAmount,
  otherPriceUsd: isAmount,
  liquidityUsd: isAmount,
  volumeUsd: isAmount,
  swaps: isNullOr(isCount),
  closed: isBoolean,
}

export const swapShape: Shape = {
  txHash: isHash,
  logIndex: isCount,
  block: isCount,
  ts: isUnixSeconds,
  side: isOneOf('buy', 'sell'),
  stockAmount: isAmount,
  otherAmount: isAmount,
  priceInOther: isAmount,
  amountUsd: isAmount,
  sender: isAddress,
  recipient: isNullOr(isAddress),
  fee: isNullOr(isCount),
  sqrtPriceX96: isBigInteger,
  tick: isTick,
  implausible: isBoolean,
}

export const stockShape: Shape = {
  symbol: isText(/^[A-Z0-9.-]{1,16}$/),
  name: isString,
  address: isAddress,
  decimals: isCount,
  issuer: isNullOr(isString),
  multiplier: isMultiplier,
  pendingMultiplier: isMultiplier,
  multiplierEffectiveTs: isTime,
  quoteUsd: isAmount,
  quoteBid: isAmount,
  quoteAsk: isAmount,
  quoteTs: isTime,
  quoteSource: isOneOf('issuer', 'chainlink', 'file', null),
  tokenUsd: isAmount,
  oracleUsd: isAmount,
  oracleTs: isTime,
  marketSession: isOneOf('regular', 'pre', 'post', 'overnight', 'closed'),
  tradingHalt: isNullOr(isBoolean),
  oraclePaused: isNullOr(isBoolean),
  poolPriceUsd: isAmount,
  bestPoolId: isNullOr(isPoolId),
  premiumBps: isNullOr(isNumber),
  driftBps: isNullOr(isNumber),
  pools: isOfShape({
    total: isCount,
    active: isCount,
    canonical: isCount,
    meme: isCount,
    stockStock: isCount,
  }),
  liquidityUsd: isAmount,
  vol24hUsd: isAmount,
  vol24hFilteredUsd: isAmount,
  washShare24h: isShare,
  dataStatus: isDataStatus,
  statusReasons: isListOf(isCode),
}

export const stockDetailShape: Shape = {
  stock: isOfShape(stockShape),
  series: Array.isArray,
  pools: Array.isArray,
}

/** "series of reference price, best canonical pool price and premium" (docs/api.md). */
export const stockSeriesShape: Shape = {
  ts: isUnixSeconds,
  referenceUsd: isAmount,
  poolPriceUsd: isAmount,
  premiumBps: isNullOr(isNumber),
  closed: isBoolean,
}

export const problemShape: Shape = {
  type: isText(/^urn:stockpools:error:[a-z_]+$/),
  title: isString,
  status: isInteger,
  detail: isString,
  instance: isString,
  requestId: isString,
  error: (value) =>
    isOfShape({ code: isString, message: isString })(value) ||
    isOfShape({ code: isString, message: isString, param: isString })(value),
}

/** The values of the parameter `range`. */
export const ranges = ['1h', '6h', '24h', '7d', '30d', '90d', 'all'] as const
