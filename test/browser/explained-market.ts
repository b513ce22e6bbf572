import { listTicks } from '../../src/domain/pool/tick-map.ts'
import { selectTrustedReference } from '../../src/domain/price/reference-price.ts'
import { explainPool } from '../../src/domain/provenance/explain-pool.ts'
import type { PoolFacts } from '../../src/domain/provenance/pool-facts.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import type { Hex } from '../../src/domain/units.ts'
import type { PoolInputs } from '../../src/domain/valuation/pool-inputs.ts'
import { buildStockInputs, toMultiplier } from '../../src/domain/valuation/stock-inputs.ts'
import { toPoolView } from '../../src/domain/valuation/value-pool.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { tickMapOf } from '../support/domain/quoted-pool.ts'
import {
  hexOf,
  oracleOf,
  quoteOf,
  sampleContext,
  samplePoolInputs,
  stateOf,
  stockOf,
  tokens,
} from '../support/domain/sample-inputs.ts'
import { livelyPools, nowTs } from './lively-market.ts'

/*
 * Pools whose rows and their provenance are of the same facts, as the service makes both. The facts
 * are of the lively market's time.
 */

const context = sampleContext({
  now: nowTs,
  asOf: { block: 24_880_431, ts: nowTs - 2 },
  enrichedTs: nowTs - 5,
})

const stock = stockOf({ readTs: nowTs })
const time = { publishedTs: nowTs - 10, fetchedTs: nowTs - 1 }
const book = quoteOf({ ...time, bid: 99.9, ask: 100.1 })
const dollar = [oracleOf(0.9998, { ...time, address: tokens.usdg })]

const [lively] = livelyPools as readonly [PoolView]

const call = (data: Hex) => ({
  to: tokens.usdg,
  data,
})

/** A pool of the stock with these quotes; without any there is no dollar price. */
const factsOf = (rest: Partial<PoolInputs>, quotes = [book]): PoolFacts => {
  const ofDollar = { quotes: dollar, isDollar: true, policy: policyDefault, now: nowTs }
  const ofStock = { stock, quotes, session: 'regular' as const, policy: policyDefault, now: nowTs }
  const inputs = samplePoolInputs({
    stock: buildStockInputs(ofStock),
    other: selectTrustedReference(ofDollar),
    ...rest,
  })
  const map = tickMapOf([[-240_000, -220_020, 10n ** 18n]])
  return {
    inputs,
    context,
    past: null,
    asOfHash: hexOf(0xb10c, 32),
    ticks: inputs.pool.reserves === null ? null : listTicks(map),
    lastSwap: { block: 24_880_400, txHash: hexOf(0x7a, 32), logIndex: 3 },
    stateCalls: [call('0x3850c7bd'), call('0x1a686502')],
    stockQuotes: {
      address: tokens.nvda,
      quotes,
      multiplier: toMultiplier(stock, nowTs),
      multiplierCall: { call: 'uiMultiplier()', data: '0xa60bf13d' },
      asset: null,
      kept: null,
    },
    otherQuotes:
      inputs.classification.kind === 'meme'
        ? null
        : {
            address: tokens.usdg,
            quotes: dollar,
            multiplier: null,
            multiplierCall: null,
            asset: null,
            kept: null,
          },
    gaps: { hour: false, day: false },
  }
}

const poolOf = (number: number, rest: Partial<Parameters<typeof stateOf>[0]> = {}) => ({
  ...samplePoolInputs().pool,
  ...stateOf({ lastSwapTs: nowTs - 60, lastSwapBlock: 24_880_400, ...rest }),
  id: hexOf(0xe0 + number, 20),
})

const explainedFacts = {
  canonical: factsOf({ pool: poolOf(1) }),
  meme: factsOf({
    pool: poolOf(2),
    classification: { kind: 'meme', stockIsToken0: true },
    otherSymbol: 'DOG',
    other: null,
  }),
  /** Never initialised, of a stock without a quote. */
  unknown: factsOf(
    {
      pool: poolOf(3, {
        price: null,
        reserves: null,
        depth: null,
        lastSwapTs: null,
        lastSwapBlock: null,
      }),
    },
    [],
  ),
} as const

const explained = Object.values(explainedFacts).map((facts) => {
  const row = toPoolView(facts.inputs, facts.context)
  return { row, provenance: explainPool(row, facts) }
})

const find = (id: string) => explained.find(({ row }) => row.id === id)

/** Rows of the explained pools. */
export const rowOf = (name: keyof typeof explainedFacts) => {
  const row = find(explainedFacts[name].inputs.pool.id)?.row
  if (row === undefined) throw new Error(`${name} has no row`)
  return row
}

/** Adds the pools; `asked` counts the requests for provenance. */
export const addExplained = (market: SampleMarket) => {
  const asked = { count: 0 }
  const { pool, poolSwaps } = market
  const listedOf = (id: PoolView['id']) => (find(id) === undefined ? id : lively.id)
  Object.assign(market, {
    pool: async (id, range) => {
      const detail = await pool(listedOf(id), range)
      const row = find(id)?.row
      return row === undefined || detail === null ? detail : { ...detail, pool: row }
    },
    poolSwaps: (id, query) => poolSwaps(listedOf(id), query),
    provenance: async (id) => {
      asked.count += 1
      return find(id)?.provenance ?? null
    },
  } satisfies Partial<SampleMarket>)
  return asked
}
