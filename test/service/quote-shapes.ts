import {
  isAddress,
  isBigInteger,
  isBoolean,
  isCount,
  isListOf,
  isNotNegative,
  isNullOr,
  isNumber,
  isOfShape,
  isOneOf,
  isPoolId,
  isTick,
  isUnixSeconds,
  type Shape,
} from './shape.ts'
import { isCode, isDataStatus } from './shapes.ts'

/* Swap quotes and depth as docs/api.md has them, by hand as in `shapes.ts`. */

const isAmount = isNullOr(isNotNegative)

const origin: Shape = {
  asOfBlock: isNullOr(isCount),
  stateTs: isNullOr(isUnixSeconds),
  dataStatus: isDataStatus,
  statusReasons: isListOf(isCode),
}

const quoteShape: Shape = {
  poolId: isPoolId,
  side: isOneOf('buy', 'sell'),
  exact: isOneOf('input', 'output'),
  tokenIn: isAddress,
  tokenOut: isAddress,
  amountIn: isAmount,
  amountInRaw: isBigInteger,
  amountOut: isAmount,
  amountOutRaw: isBigInteger,
  filled: isBoolean,
  midPriceInOther: isAmount,
  executionPriceInOther: isAmount,
  executionPriceUsd: isAmount,
  priceImpactBps: isAmount,
  feeAmountRaw: isBigInteger,
  costBps: isAmount,
  sqrtPriceX96After: isBigInteger,
  tickAfter: isTick,
  liquidityAfter: isBigInteger,
  ticksCrossed: isCount,
  fee: isCount,
  feeBlock: isNullOr(isCount),
}

const reasonsOfPools = [
  ...['uninitialised', 'index_gap', 'reserve_short', 'reserve_rebasing'],
  'hook_custom_accounting',
  ...['fee_unknown', 'decimals_unknown', 'usd_price_missing'],
]

export const poolQuoteShape: Shape = {
  quote: isNullOr(isOfShape(quoteShape)),
  reasons: isListOf(isOneOf(...reasonsOfPools)),
  assumptions: isListOf(isOneOf('fee_as_last_read', 'hook_passive')),
  ...origin,
}

const stockOrder: Shape = {
  reasons: isListOf(isOneOf('no_usable_pool')),
  assumptions: isListOf(isOneOf('fee_as_last_read', 'hook_passive')),
  excluded: isListOf(
    isOfShape({
      poolId: isPoolId,
      reason: isOneOf(
        ...reasonsOfPools,
        ...['state_old', 'quote_old', 'hook_unreviewed', 'pool_limit'],
      ),
    }),
  ),
  ...origin,
}

const splitShape: Shape = {
  side: isOneOf('buy', 'sell'),
  exact: isOneOf('input', 'output'),
  stockAmount: isNotNegative,
  stockAmountRaw: isBigInteger,
  usd: isNotNegative,
  filled: isBoolean,
  midPriceUsd: isNotNegative,
  executionPriceUsd: isAmount,
  priceImpactBps: isNullOr(isNumber),
  costBps: isNullOr(isNumber),
  singlePoolId: isNullOr(isPoolId),
  savedBps: isAmount,
  legs: isListOf(isOfShape({ share: isNotNegative, ...quoteShape })),
}

export const stockQuoteShape: Shape = { quote: isNullOr(isOfShape(splitShape)), ...stockOrder }

const dollarsShape: Shape = { stockAmount: isNotNegative, usd: isNotNegative }

const pooledDepthShape: Shape = {
  midPriceUsd: isNotNegative,
  bands: isListOf(
    isOfShape({ bps: isCount, buy: isOfShape(dollarsShape), sell: isOfShape(dollarsShape) }),
  ),
  usdToMove1Pct: isNotNegative,
  topPoolId: isNullOr(isPoolId),
  topPoolShare: isAmount,
}

export const stockDepthShape: Shape = {
  depth: isNullOr(isOfShape(pooledDepthShape)),
  ...stockOrder,
}

const bandShape: Shape = {
  stockAmount: isNotNegative,
  otherAmount: isNotNegative,
  usd: isAmount,
}

const fillShape: Shape = {
  executionPriceUsd: isAmount,
  priceImpactBps: isAmount,
  filled: isBoolean,
}

const segmentShape: Shape = {
  tickLower: isTick,
  tickUpper: isTick,
  priceLower: isNotNegative,
  priceUpper: isNotNegative,
  liquidity: isBigInteger,
  stockAmount: isNotNegative,
  otherAmount: isNotNegative,
  usd: isAmount,
}

const profileShape: Shape = {
  midPriceInOther: isAmount,
  bands: isListOf(
    isOfShape({ bps: isCount, buy: isOfShape(bandShape), sell: isOfShape(bandShape) }),
  ),
  ladder: isListOf(
    isOfShape({
      usd: isCount,
      buy: isNullOr(isOfShape(fillShape)),
      sell: isNullOr(isOfShape(fillShape)),
    }),
  ),
  segments: isListOf(isOfShape(segmentShape)),
}

export const poolDepthShape: Shape = { depth: isNullOr(isOfShape(profileShape)), ...origin }
