import { daysPerYear } from '../earnings/fee-apr.ts'
import { premiumMax } from '../price/premium.ts'
import type { PoolView } from '../views/pool.ts'

/** The formulas of one number, by case; exactly one of them made a given value. */
type FieldFormulas = {
  /** Anchor of docs/methodology.md. */
  readonly section: string
  readonly unit: string
  readonly formulas: Readonly<Record<string, string>>
}

const sections = {
  identity: '1-identity-and-kind',
  price: '2-pool-price',
  references: '3-references-and-dollar-prices',
  reserves: '4-reserves-and-liquidity',
  volume: '5-volume',
  earnings: '14-what-liquidity-providers-earn',
  blocks: '7-confirmations-finality-checks-reorgs',
} as const

const usdPerToken = 'US dollars per token'
const raw = 'smallest units'

const reserveFormulas = {
  token0: 'reserve0 / 10 ^ decimals0',
  token1: 'reserve1 / 10 ^ decimals1',
  balance: 'balance',
  screener: 'screenerAmount',
} as const

/** From a quote of the token: by what the quote is a price of, and what it consists of. */
const referenceFormulas = {
  shareBook: 'positive(mid(bid, ask) * (multiplier / 10 ^ 18))',
  shareLast: 'positive(last * (multiplier / 10 ^ 18))',
  token: 'last',
  accepted: 'accepted',
  wrapper: 'positive(assetUsd * (multiplier / 10 ^ 18))',
} as const

/** Of a trusted dollar token also by the pools, while these agree about a dollar. */
const otherReferenceFormulas = { ...referenceFormulas, pegged: 'peg(last)' } as const

const price = 'inRange(sqrtPriceX96) ^ 2 * 10 ^ decimals0 / (10 ^ decimals1 * 2 ^ 192)'
const inversePrice = '10 ^ decimals1 * 2 ^ 192 / (inRange(sqrtPriceX96) ^ 2 * 10 ^ decimals0)'

const premium = (base: string): string =>
  `10000 * within(stockPriceUsd / ${base} - 1, ${premiumMax})`

const stockWorth = 'worth(stockReserve, stockReferenceUsd)'
const otherWorth = 'worth(otherReserve, otherPriceUsd)'

/** All numbers of a pool's row. */
type NumberField = {
  [Name in keyof PoolView]: PoolView[Name] extends number | null ? Name : never
}[keyof PoolView]

type PublishedField = NumberField | 'sqrtPriceX96' | 'liquidity'

const own = (name: string) => ({ own: name })

/** Numbers of the row (docs/api.md). */
export const publishedFormulas = {
  createdBlock: { section: sections.identity, unit: 'block number', formulas: own('createdBlock') },
  fee: {
    section: sections.identity,
    unit: 'hundredths of a basis point',
    formulas: own('fee'),
  },
  tickSpacing: { section: sections.identity, unit: 'ticks', formulas: own('tickSpacing') },
  lpFee: {
    section: sections.reserves,
    unit: 'hundredths of a basis point',
    formulas: own('lpFee'),
  },
  feeBlock: { section: sections.reserves, unit: 'block number', formulas: own('feeBlock') },
  asOfBlock: { section: sections.blocks, unit: 'block number', formulas: own('asOfBlock') },
  stateTs: {
    section: sections.blocks,
    unit: 'Unix seconds',
    formulas: { own: 'when(initialised, blockTs)' },
  },
  sqrtPriceX96: { section: sections.price, unit: 'Q64.96', formulas: own('sqrtPriceX96') },
  tick: { section: sections.price, unit: 'tick', formulas: own('tick') },
  liquidity: { section: sections.price, unit: 'liquidity', formulas: own('liquidity') },
  lastSwapTs: { section: sections.volume, unit: 'Unix seconds', formulas: own('lastSwapTs') },
  lastSwapBlock: { section: sections.volume, unit: 'block number', formulas: own('lastSwapBlock') },
  lastSwapFee: {
    section: sections.volume,
    unit: 'hundredths of a basis point',
    formulas: { own: 'lastSwapFee', ofKey: 'fee' },
  },
  stockPriceInOther: {
    section: sections.price,
    unit: 'other tokens per stock token',
    formulas: { token0: price, token1: inversePrice },
  },
  stockPriceUsd: {
    section: sections.references,
    unit: usdPerToken,
    formulas: {
      implied: 'positive(stockPriceInOther * otherReferenceUsd)',
      reference: 'stockReferenceUsd',
    },
  },
  otherPriceUsd: {
    section: sections.references,
    unit: usdPerToken,
    formulas: {
      reference: 'otherReferenceUsd',
      implied: 'positive(stockReferenceUsd / stockPriceInOther)',
    },
  },
  enrichedTs: { section: sections.reserves, unit: 'Unix seconds', formulas: own('readTs') },
  stockReserve: { section: sections.reserves, unit: 'whole tokens', formulas: reserveFormulas },
  otherReserve: { section: sections.reserves, unit: 'whole tokens', formulas: reserveFormulas },
  liquidityUsd: {
    section: sections.reserves,
    unit: 'US dollars',
    formulas: {
      full: `finite(${stockWorth} + ${otherWorth})`,
      capped: `finite(${stockWorth} + cap(${otherWorth}, ${stockWorth}))`,
    },
  },
  depthUsd: {
    section: sections.reserves,
    unit: 'US dollars',
    formulas: {
      other0: 'finite(worth(depth0 / 10 ^ decimals0, otherPriceUsd))',
      other1: 'finite(worth(depth1 / 10 ^ decimals1, otherPriceUsd))',
      stock0: 'finite(worth(depth0 / 10 ^ decimals0, stockReferenceUsd))',
      stock1: 'finite(worth(depth1 / 10 ^ decimals1, stockReferenceUsd))',
    },
  },
  vol1hUsd: {
    section: sections.volume,
    unit: 'US dollars',
    formulas: { own: 'when(complete, sum(swaps1h) / 10 ^ 6)' },
  },
  vol24hUsd: {
    section: sections.volume,
    unit: 'US dollars',
    formulas: { own: 'when(complete, sum(swaps24h) / 10 ^ 6)' },
  },
  swaps24h: { section: sections.volume, unit: 'swaps', formulas: { own: 'count(swaps24h)' } },
  estimatedSwaps24h: {
    section: sections.volume,
    unit: 'swaps',
    formulas: own('estimatedSwaps24h'),
  },
  feeApr24h: {
    section: sections.earnings,
    unit: 'part of one a year',
    formulas: { own: `when(payable, ${daysPerYear} * feeYield24h)` },
  },
  vol24hFilteredUsd: {
    section: sections.volume,
    unit: 'US dollars',
    formulas: { own: 'when(complete, (sum(swaps24h) - leftOut24h) / 10 ^ 6)' },
  },
  traders24h: { section: sections.volume, unit: 'traders', formulas: own('traders24h') },
  washShare24h: {
    section: sections.volume,
    unit: 'part of the volume, 0 to 1',
    formulas: { own: 'when(complete, leftOut24h / positive(sum(swaps24h)))' },
  },
  premiumBps: {
    section: sections.references,
    unit: 'basis points',
    formulas: {
      own: `when(implied, open, otherFit, independent, ${premium('stockReferenceUsd')})`,
    },
  },
  driftBps: {
    section: sections.references,
    unit: 'basis points',
    formulas: { own: `when(implied, closed, ${premium('lastReferenceUsd')})` },
  },
} as const satisfies Readonly<Record<PublishedField, FieldFormulas>>

/** Steps on the way to the numbers of the row. */
export const stepFormulas = {
  stockReferenceUsd: {
    section: sections.references,
    unit: usdPerToken,
    formulas: referenceFormulas,
  },
  otherReferenceUsd: {
    section: sections.references,
    unit: usdPerToken,
    formulas: otherReferenceFormulas,
  },
  lastReferenceUsd: {
    section: sections.references,
    unit: usdPerToken,
    formulas: referenceFormulas,
  },
  reserve0: {
    section: sections.reserves,
    unit: raw,
    formulas: own('principal0(ticks, sqrtPriceX96)'),
  },
  reserve1: {
    section: sections.reserves,
    unit: raw,
    formulas: own('principal1(ticks, sqrtPriceX96)'),
  },
  depth0: { section: sections.reserves, unit: raw, formulas: own('moving0(ticks, sqrtPriceX96)') },
  depth1: { section: sections.reserves, unit: raw, formulas: own('moving1(ticks, sqrtPriceX96)') },
} as const satisfies Readonly<Record<string, FieldFormulas>>

const published: Readonly<Record<string, FieldFormulas>> = publishedFormulas
const steps: Readonly<Record<string, FieldFormulas>> = stepFormulas

/** The formulas of a number or step of this name; null if there is none. */
export const formulasOf = (field: string): FieldFormulas | null =>
  (Object.hasOwn(published, field) ? published[field] : null) ??
  (Object.hasOwn(steps, field) ? steps[field] : null) ??
  null

/** Every number that has a formula: of the row, and steps. */
export const provenanceFields: readonly string[] = [
  ...Object.keys(publishedFormulas),
  ...Object.keys(stepFormulas),
]

/** Numbers of a pool's row, in no particular order. */
export const publishedFields: readonly string[] = Object.keys(publishedFormulas)
