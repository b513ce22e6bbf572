import fc from 'fast-check'
import type { StoredSwap } from '../../../src/domain/pool/stored-rows.ts'
import { candleWidths } from '../../../src/domain/pool/stored-rows.ts'
import { known, unknown } from '../../../src/domain/reading.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  candleAt,
  chain,
  day,
  hashOf,
  identityOf,
  passAt,
  pointAt,
  quoteOf,
  stateOf,
  stockOf,
  swapAt,
} from '../../store-contract/fixtures.ts'

const poolsMax = 4
const blocksMax = 40

const amount = fc.bigInt({ min: -(1n << 255n), max: 1n << 255n })
const positive = fc.bigInt({ min: 0n, max: 1n << 160n })
const pool = fc.integer({ min: 1, max: poolsMax })
const block = fc.integer({ min: 1, max: blocksMax })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', 'a\0b', '\\', '\\0', '"', '\n', '\u2028', '🚀', '\ufeffx', '-0', 'null'),
)
const fact = fc.oneof(text.map(known), fc.constant(unknown('reverted')))

const swap = fc.record({
  pool,
  block,
  logIndex: fc.nat({ max: 50 }),
  amount0: amount,
  amount1: amount,
  sqrtPriceX96: positive,
  liquidity: positive,
  tick: fc.integer({ min: -887_272, max: 887_272 }),
  fee: orNull(fc.nat({ max: 1_000_000 })),
  recipient: orNull(fc.nat({ max: 99 }).map(addressOf)),
  usdMicro: orNull(fc.nat()),
  estimated: fc.boolean(),
  implausible: fc.boolean(),
  lpFee: orNull(fc.nat()),
  feeYield: orNull(fc.nat()),
  txIndex: orNull(fc.nat({ max: 70_000 })),
  trader: orNull(fc.nat({ max: 99 }).map(addressOf)),
})

const candle = fc.record({
  pool,
  width: fc.constantFrom(...candleWidths),
  at: fc.nat({ max: 9 }),
  open: finite,
  high: finite,
  low: finite,
  close: finite,
  usdMicro: fc.nat(),
  swaps: fc.nat({ max: 9 }),
  reserve0: orNull(finite),
})

/** What a store may hold, the hostile included. */
export const contents = fc.record({
  swaps: fc.uniqueArray(swap, {
    maxLength: 30,
    selector: (each) => `${each.pool} ${each.block} ${each.logIndex}`,
  }),
  candles: fc.array(candle, { maxLength: 10 }),
  ticks: fc.array(fc.record({ pool, tick: fc.integer(), net: amount, gross: positive }), {
    maxLength: 10,
  }),
  tokens: fc.uniqueArray(
    fc.record({
      at: fc.nat({ max: 200 }),
      symbol: fact,
      name: fact,
      decimals: fc.oneof(fc.nat({ max: 36 }).map(known), fc.constant(unknown('reverted'))),
    }),
    { maxLength: 8, selector: ({ at }) => at },
  ),
  prices: fc.array(fc.record({ at: fc.nat({ max: 9 }), usd: finite }), { maxLength: 5 }),
  multiplier: orNull(positive),
  error: orNull(text),
  hot: fc.boolean(),
})

export type DrawnContents = typeof contents extends fc.Arbitrary<infer T> ? T : never

const swapOf = ({ pool: number, block: at, logIndex, ...rest }: DrawnContents['swaps'][number]) =>
  swapAt({ pool: number, block: at, logIndex }, rest as Partial<StoredSwap>)

/** Fees and settings of every second pool. */
const rulesOf = (number: number) =>
  number % 2 === 0
    ? {}
    : {
        fees: { lpFee: 3000, protocolFee: 500 | (300 << 12), block: number },
        settings: { tickSpacing: number, pluginConfig: 255, block: number },
      }

const batchOfDrawn = (drawn: DrawnContents) => {
  const numbers = Array.from({ length: poolsMax }, (_, at) => at + 1)
  const [first, ...rest] = numbers
  return batchOf(
    { before: null, to: blocksMax },
    {
      blocks: [blockRefAt(1), blockRefAt(blocksMax - 1)],
      pools: numbers.map(identityOf),
      states: rest.map((number) => ({
        pool: number,
        state: stateOf(BigInt(number) ** 90n, rulesOf(number)),
      })),
      ticks: drawn.ticks,
      swaps: drawn.swaps.map(swapOf),
      liquidity: [
        {
          pool: first ?? 1,
          block: 3,
          logIndex: 1,
          ts: day + 3,
          txHash: hashOf(3),
          tickLower: -60,
          tickUpper: 60,
          liquidityDelta: -(1n << 127n),
          txIndex: 7,
          owner: null,
          sender: addressOf(5),
          salt: hashOf(drawn.swaps.length),
        },
      ],
      candles: drawn.candles.map(({ width, at, ...candleRest }) =>
        candleAt({ pool: candleRest.pool, width, ts: day + at * width }, candleRest),
      ),
      references: drawn.prices.map(({ at, usd }) => pointAt(day + 60 * at, usd)),
    },
  )
}

/** Writes it through the port, as an indexer would. */
export const fill = async (store: Store, drawn: DrawnContents): Promise<void> => {
  await store.claim(chain, day)
  await store.commitRange(batchOfDrawn(drawn))
  const cursor = blockRefAt(blocksMax)
  const branch = batchOf({ before: blocksMax, to: blocksMax + 1 })
  await store.replaceBranch({
    epoch: 0,
    cursor,
    ancestor: cursor,
    restored: [],
    branch,
    repairs: 0,
  })
  await store.advanceFinalized({ expectedCursor: null, to: blockRefAt(7), crossChecked: true })
  await store.recordHead(blockRefAt(blocksMax + 25))
  await store.recordCoverage({ checkedTs: day + 40, checked: 9, missing: 2 })
  await store.recordCoveragePass({ scannedTo: 7, venues: [] })
  await store.recordTokens(
    drawn.tokens.map(({ at, ...rest }) => ({ address: addressOf(at), ...rest })),
  )
  await store.recordStocks([stockOf(101, { multiplier: drawn.multiplier, verdict: 'verified' })])
  await store.recordSearches([
    { address: addressOf(101), kind: 'stock', fromBlock: 0, done: 0, total: 0 },
    { address: addressOf(99), kind: 'venue', fromBlock: 5, done: 3, total: 40 },
  ])
  await store.recordSource({
    source: 'swaps',
    enabled: true,
    lastAttemptTs: day,
    lastSuccessTs: null,
    lastError: drawn.error,
    partial: false,
    failures: 3,
  })
  const pass = {
    quotes: [
      quoteOf(),
      quoteOf({ source: 'chainlink', halted: true, bid: null, lapse: 'unpriced' }),
    ],
    reserves: [
      { pool: 1, source: 'balance', amount0: 0.1, amount1: null, liquidityUsd: null, ts: day },
    ],
    hot: drawn.hot ? [{ pool: 2, lastHotTs: day + 9 }] : [],
  } as const
  await store.recordEnrichment(passAt(day + 30, pass))
}
