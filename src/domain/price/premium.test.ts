import { describe, expect, test } from 'vitest'
import { readingOf, referenceOf } from '../../../test/support/domain/sample-inputs.ts'
import type { MarketSession } from '../stock/market-session.ts'
import type { PoolKind } from '../views/pool.ts'
import { computePremium } from './premium.ts'
import { noReferencePrice, type ReferenceResult } from './reference-price.ts'

const issuer = readingOf(referenceOf(200))
const median: ReferenceResult = {
  ...issuer,
  reference: referenceOf(150, { source: 'pools', fresh: false, independent: false }),
}

describe('the premium of a pool (methodology §3)', () => {
  type Case = {
    readonly kind?: PoolKind
    readonly usd?: number | null
    readonly stock?: ReferenceResult
    readonly session?: MarketSession
    readonly hasExternalReference?: boolean
  }
  const table: readonly [string, Case, number | null, number | null, boolean][] = [
    ['one percent above, in session', {}, 100, null, false],
    ['below', { usd: 198 }, -100, null, false],
    ['before the bell is in session', { session: 'pre' }, 100, null, false],
    ['after it too', { session: 'post' }, 100, null, false],
    ['and overnight', { session: 'overnight' }, 100, null, false],
    ['off session it is a drift', { session: 'closed' }, null, 100, false],
    ['a stock pair has one', { kind: 'stock-stock' }, 100, null, false],
    ['a meme says nothing', { kind: 'meme' }, null, null, false],
    ['nor does no price', { usd: null }, null, null, false],
    ['never against our own pools', { stock: median }, null, null, false],
    [
      'the drift is against the last price from outside',
      { stock: median, session: 'closed' },
      null,
      100,
      false,
    ],
    ['half as much again is the limit', { usd: 300 }, 5000, null, false],
    ['beyond it the price is not believed', { usd: 300.1 }, null, null, true],
    ['neither is one of less than half', { usd: 99.9 }, null, null, true],
    ['also off session', { usd: 500, session: 'closed' }, null, null, true],
    [
      'nor by a price of the other side that is not as good',
      { hasExternalReference: false },
      null,
      null,
      false,
    ],
    ['off session it may be', { hasExternalReference: false, session: 'closed' }, null, 100, false],
    ['nothing known', { stock: noReferencePrice }, null, null, false],
    [
      'nothing known off session',
      { stock: noReferencePrice, session: 'closed' },
      null,
      null,
      false,
    ],
  ]
  test.each(table)('%s', (_, given, premiumBps, driftBps, implausible) => {
    const { kind = 'canonical', usd = 202, stock = issuer, session = 'regular' } = given
    const { hasExternalReference = true } = given
    const premium = computePremium({
      kind,
      stockPriceUsd: usd,
      stock,
      hasExternalReference,
      session,
    })
    expect(premium.implausible).toBe(implausible)
    const [actual, expected] = [
      [premium.premiumBps, premium.driftBps],
      [premiumBps, driftBps],
    ]
    expect(actual.map((bps) => bps && Math.round(bps))).toEqual(expected)
  })
})
