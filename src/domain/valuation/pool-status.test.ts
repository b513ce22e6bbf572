import { describe, expect, test } from 'vitest'
import { poolOf, viewOf } from '../../../test/support/domain/pool-view.ts'
import {
  addressOf,
  keyOf,
  noon,
  readingOf,
  referenceOf,
  samplePoolInputs,
  sampleStockInputs,
} from '../../../test/support/domain/sample-inputs.ts'
import { standardWith } from '../../../test/support/domain/sample-standard.ts'
import { noReferencePrice } from '../price/reference-price.ts'
import { known, unknown } from '../reading.ts'
import { nativeAddress } from '../units.ts'
import type { PoolInputs, ValuationContext } from './pool-inputs.ts'

const stale = { independent: false, fresh: false } as const

describe('status and reasons (docs/api.md, dataStatus)', () => {
  const halted = sampleStockInputs({ halted: true })
  const table: readonly [
    string,
    Partial<PoolInputs>,
    Partial<ValuationContext>,
    string,
    string[],
  ][] = [
    ['the state as old as it may be', {}, { asOf: { block: 1, ts: noon - 30 } }, 'fresh', []],
    ['a second more', {}, { asOf: { block: 1, ts: noon - 31 } }, 'stale', ['state_old']],
    [
      'the chain far ahead of our clock',
      {},
      { asOf: { block: 1, ts: noon + 31 } },
      'stale',
      ['clock_ahead', 'state_old'],
    ],
    ['reserves as old as they may be', {}, { enrichedTs: noon - 120 }, 'fresh', []],
    ['a second more', {}, { enrichedTs: noon - 121 }, 'partial', ['reserve_old']],
    [
      'by a clock that was set back since',
      {},
      { enrichedTs: noon + 31 },
      'partial',
      ['reserve_old', 'clock_ahead'],
    ],
    ['reserves never brought up to date', {}, { enrichedTs: null }, 'partial', ['reserve_old']],
    [
      'a rebasing token, whose balances count',
      { fallback: { source: 'balance', amount0: 7, amount1: 8, ts: noon - 5 } },
      { standardOf: () => standardWith({ rebasing: true }) },
      'partial',
      ['reserve_rebasing'],
    ],
    [
      'no quote of the stock',
      { stock: sampleStockInputs({ reading: noReferencePrice }) },
      {},
      'partial',
      ['quote_missing'],
    ],
    [
      'an old one',
      { stock: sampleStockInputs({ reading: readingOf(referenceOf(100, stale)) }) },
      {},
      'partial',
      ['quote_old'],
    ],
    [
      'no price of the other side',
      { other: noReferencePrice },
      {},
      'partial',
      ['other_price_missing'],
    ],
    ['an old one', { other: readingOf(referenceOf(1, stale)) }, {}, 'partial', ['quote_old']],
    [
      'one of the future',
      { other: { ...noReferencePrice, clockAhead: true } },
      {},
      'partial',
      ['clock_ahead', 'other_price_missing'],
    ],
    ['unread decimals', { decimals0: unknown('x') }, {}, 'partial', ['decimals_unknown']],
    [
      'a map that disagrees',
      { pool: poolOf({ reserves: null, mapFault: 'index_gap' }) },
      {},
      'partial',
      ['index_gap', 'reserve_missing'],
    ],
    [
      'a pool that holds less than its map',
      { pool: poolOf({ reserves: null, depth: null, mapFault: 'reserve_short' }) },
      {},
      'partial',
      ['reserve_short', 'reserve_missing'],
    ],
    [
      'a hook with its own books',
      { pool: poolOf({}, { key: keyOf({ hooks: addressOf(4) }) }) },
      {},
      'partial',
      ['hook_custom_accounting', 'hook_unreviewed', 'reserve_missing'],
    ],
    [
      'a halt',
      { stock: { ...halted, reading: readingOf(referenceOf(100)) } },
      {},
      'fresh',
      ['trading_halt'],
    ],
    [
      'an absurd price',
      { stock: sampleStockInputs({ reading: readingOf(referenceOf(20)) }) },
      {},
      'fresh',
      ['premium_implausible'],
    ],
    ['a fee of 5 %', { pool: poolOf({}, { key: keyOf({ fee: 50_000 }) }) }, {}, 'fresh', []],
    [
      'a fee above it',
      { pool: poolOf({}, { key: keyOf({ fee: 50_001 }) }) },
      {},
      'fresh',
      ['fee_excessive'],
    ],
    ['not initialised', { pool: poolOf({ price: null, liquidity: 0n }) }, {}, 'unavailable', []],
    [
      'the weekend',
      {
        stock: sampleStockInputs({
          session: 'closed',
          reading: readingOf(referenceOf(100, stale)),
        }),
      },
      {},
      'partial',
      ['quote_old', 'market_closed'],
    ],
  ]
  test.each(table)('%s', (_, facts, moment, status, reasons) => {
    const view = viewOf(facts, moment)
    expect([view.dataStatus, ...view.statusReasons]).toEqual([status, ...reasons])
    if (reasons.length > 0) expect(view.comparable).toBe(false)
  })
})

describe('a hook of a v4 pool (methodology §6)', () => {
  const beforeSwap = addressOf(0x80)
  const hooked = (hooks: `0x${string}`, fee = 3000, lastSwapFee: number | null = 3000) => ({
    pool: poolOf({ lastSwapFee }, { version: 'v4', key: keyOf({ hooks, fee }) }),
  })
  const reviewedHooks = new Map([[beforeSwap, 'adds points to the trader, refuses no swap']])
  const dynamic = 0x800000

  test.each([
    ['that may refuse a swap', hooked(beforeSwap), false, ['hook_unreviewed']],
    ['that runs after a swap', hooked(addressOf(0x40)), false, ['hook_unreviewed']],
    ['that sets the fee', hooked(addressOf(0x1000), dynamic), false, ['hook_unreviewed']],
    // initialize, addLiquidity, removeLiquidity and donate
    ['that acts on liquidity only', hooked(addressOf(0x3f30)), true, []],
    ['of the zero address', hooked(nativeAddress), true, []],
  ] as const)('%s', (_, facts, comparable, statusReasons) => {
    expect(viewOf(facts)).toMatchObject({ comparable, statusReasons, dataStatus: 'fresh' })
  })

  test.each([
    ['comparable', hooked(beforeSwap), true, []],
    ['by its last swap', hooked(beforeSwap, dynamic, 50_000), true, []],
    ['at 99 %', hooked(beforeSwap, dynamic, 990_000), false, ['fee_excessive']],
    ['before its first swap', hooked(beforeSwap, dynamic, null), false, []],
    ['but another hook is not', hooked(addressOf(0xc0)), false, ['hook_unreviewed']],
  ] as const)('that is reviewed: %s', (_, facts, comparable, statusReasons) => {
    expect(viewOf(facts, { reviewedHooks })).toMatchObject({ comparable, statusReasons })
  })

  test('a meme pool says it too', () => {
    const facts = { ...hooked(beforeSwap, 990_000), other: null, decimals1: known(18) }
    const view = viewOf({ ...facts, classification: { kind: 'meme', stockIsToken0: true } })
    expect(view.statusReasons).toEqual(['fee_excessive', 'hook_unreviewed'])
    expect(view.dataStatus).toBe('fresh')
  })
})

test('an implausible swap is a reason that changes neither the status nor comparable', () => {
  const volume = { ...samplePoolInputs().volume, implausibleSwaps24h: 1 }
  expect(viewOf({ volume })).toEqual({ ...viewOf({}), statusReasons: ['volume_implausible'] })
  expect(viewOf({ volume })).toMatchObject({ dataStatus: 'fresh', comparable: true })
})
