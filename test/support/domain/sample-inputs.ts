import type { PoolKey } from '../../../src/domain/pool/pool-event.ts'
import type { PoolIdentity, PoolState } from '../../../src/domain/pool/pool-state.ts'
import { noTrail, type Quote } from '../../../src/domain/price/quote.ts'
import {
  noReferencePrice,
  type ReferencePrice,
  type ReferenceResult,
} from '../../../src/domain/price/reference-price.ts'
import { known } from '../../../src/domain/reading.ts'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import type { Stock } from '../../../src/domain/stock/stock.ts'
import { type Address, type Hex, nativeAddress } from '../../../src/domain/units.ts'
import type { PoolInputs, ValuationContext } from '../../../src/domain/valuation/pool-inputs.ts'
import type { StockInputs } from '../../../src/domain/valuation/stock-inputs.ts'
import { beaconStandard } from './sample-standard.ts'

/** Tuesday 2026-09-15, 11:00 in New York: a regular session. */
export const noon = 1_789_484_400
/** The Saturday after it. */
export const saturday = noon + 4 * 86_400

export const hexOf = (number: number, bytes: number): Hex =>
  `0x${number.toString(16).padStart(bytes * 2, '0')}`
export const addressOf = (number: number): Address => hexOf(number, 20)

export const tokens = {
  native: nativeAddress,
  nvda: addressOf(0xa1),
  tsla: addressOf(0xa2),
  usdg: addressOf(0xb1),
  weth: addressOf(0xb2),
  meme: addressOf(0xc1),
} as const

/** √(numerator / denominator) in Q64.96 for squares of small numbers. */
export const sqrtX96 = (numerator: bigint, denominator = 1n): bigint =>
  (numerator << 96n) / denominator

export const quoteOf = (rest: Partial<Quote> = {}): Quote => ({
  address: tokens.nvda,
  source: 'issuer',
  per: 'share',
  bid: 199.9,
  ask: 200.1,
  last: null,
  publishedTs: noon,
  fetchedTs: noon,
  halted: false,
  haltTs: rest.publishedTs ?? noon,
  lapse: null,
  ...noTrail,
  ...rest,
})

export const oracleOf = (last: number, rest: Partial<Quote> = {}): Quote =>
  quoteOf({ source: 'chainlink', per: 'token', bid: null, ask: null, last, haltTs: null, ...rest })

export const poolQuoteOf = (last: number, rest: Partial<Quote> = {}): Quote =>
  oracleOf(last, { source: 'pools', ...rest })

export const referenceOf = (usd: number, rest: Partial<ReferencePrice> = {}): ReferencePrice => ({
  usd,
  source: 'issuer',
  publishedTs: noon,
  independent: true,
  fresh: true,
  ...rest,
})

export const readingOf = (
  reference: ReferencePrice | null,
  rest: Partial<ReferenceResult> = {},
): ReferenceResult => ({
  ...noReferencePrice,
  reference,
  lastExternal: reference === null ? null : { ...reference, fresh: false, independent: false },
  ...rest,
})

export const stockOf = (rest: Partial<Stock> = {}): Stock => ({
  address: tokens.nvda,
  symbol: 'NVDA',
  name: 'NVIDIA',
  issuer: 'robinhood',
  decimals: 18,
  feed: null,
  verdict: 'verified',
  multiplier: 10n ** 18n,
  pendingMultiplier: null,
  multiplierEffectiveTs: null,
  multiplierAlias: false,
  oraclePaused: false,
  readTs: noon,
  readFailed: false,
  ...rest,
})

export const sampleStockInputs = (rest: Partial<StockInputs> = {}): StockInputs => ({
  address: tokens.nvda,
  symbol: 'NVDA',
  reading: readingOf(referenceOf(200)),
  session: 'regular',
  halted: false,
  oraclePaused: false,
  multiplierPending: false,
  multiplierOld: false,
  ...rest,
})

export const keyOf = (rest: Partial<PoolKey> = {}): PoolKey => ({
  token0: tokens.nvda,
  token1: tokens.usdg,
  fee: 3000,
  tickSpacing: 60,
  hooks: null,
  ...rest,
})

export const identityOf = (rest: Partial<PoolIdentity> = {}): PoolIdentity => ({
  number: 1,
  id: addressOf(0xd1),
  version: 'v3',
  protocol: `uniswap-${rest.version ?? 'v3'}`,
  venue: addressOf(0xf3),
  key: keyOf(),
  createdBlock: 100,
  createdTs: noon - 30 * 86_400,
  ...rest,
})

/** One USDG unit (6 decimals) per 10^10 units of NVDA (18 decimals): 100 dollars a token. */
export const stateOf = (rest: Partial<PoolState> = {}): PoolState => ({
  price: { sqrtPriceX96: sqrtX96(1n, 100_000n), tick: -230_271 },
  liquidity: 10n ** 18n,
  reserves: { amount0: 1000n * 10n ** 18n, amount1: 150_000n * 10n ** 6n },
  depth: { amount0: 100n * 10n ** 18n, amount1: 15_000n * 10n ** 6n },
  mapFault: null,
  lastSwapTs: noon - 60,
  lastSwapBlock: 900,
  lastSwapFee: null,
  fees: null,
  settings: null,
  ...rest,
})

/** A canonical v3 pool of NVDA (token0) and USDG in good health. */
export const samplePoolInputs = (rest: Partial<PoolInputs> = {}): PoolInputs => ({
  pool: { ...identityOf(), ...stateOf(), lastHotTs: null },
  classification: { kind: 'canonical', stockIsToken0: true },
  decimals0: known(18),
  decimals1: known(6),
  stock: sampleStockInputs({ reading: readingOf(referenceOf(100)) }),
  otherSymbol: 'USDG',
  otherImitates: null,
  other: readingOf(referenceOf(1, { source: 'chainlink' })),
  otherStock: null,
  volume: {
    vol1hUsd: 5,
    vol24hUsd: 50,
    swaps24h: 7,
    estimatedSwaps24h: 0,
    implausibleSwaps24h: 0,
    feeYield24h: 0.001,
    isGap: false,
    vol24hFilteredUsd: 40,
    traders24h: 3,
    washShare24h: 0.2,
    leftOutMicro: 10_000_000n,
  },
  fallback: null,
  ...rest,
})

export const sampleContext = (rest: Partial<ValuationContext> = {}): ValuationContext => ({
  reviewedHooks: new Map(),
  standardOf: beaconStandard(null),
  venues: new Map(),
  now: noon,
  asOf: { block: 1000, ts: noon - 2 },
  enrichedTs: noon - 5,
  policy: policyDefault,
  ...rest,
})
