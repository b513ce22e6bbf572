import { describe, expect, test } from 'vitest'
import type { ReferencePoint } from '../pool/stored-rows.ts'
import {
  chainlinkEquityMaxAgeSeconds,
  chainlinkHeartbeatSeconds,
  policyDefault,
} from '../status/freshness.ts'
import {
  lastEndedPoint,
  type PastMoment,
  pastStockReference,
  pastTrustedReference,
} from './past-reference.ts'
import { noReferencePrice } from './reference-price.ts'

/** A whole minute. */
const ts = 1_795_000_020
const policy = policyDefault
const moment = { ts, session: 'regular', policy } as const
const closed: PastMoment = { ...moment, session: 'closed' }

/** A minute that ended so many seconds before. */
const endedAgo = (
  seconds: number,
  source: ReferencePoint['source'],
  width: ReferencePoint['width'] = 60,
): ReferencePoint => ({ address: '0x01', width, ts: ts - seconds - width, usd: 100, source })

describe('the last ended point', () => {
  const minute = endedAgo(60, 'issuer')
  const hour = endedAgo(0, 'issuer', 3600)
  test('is the one that ended last, not the one that began last', () => {
    expect(lastEndedPoint([minute, hour])).toBe(hour)
    expect(lastEndedPoint([hour, minute])).toBe(hour)
  })
  test('is the finest of those that ended together', () => {
    const day = endedAgo(0, 'issuer', 86_400)
    expect(lastEndedPoint([endedAgo(0, 'chainlink'), hour, day])?.width).toBe(60)
  })
  test('is null without points', () => {
    expect(lastEndedPoint([null, null, null])).toBeNull()
    expect(lastEndedPoint([])).toBeNull()
  })
})

describe('the past reference of a stock', () => {
  const freshOf = (point: ReferencePoint, at: PastMoment = moment) =>
    pastStockReference(point, at).reference?.fresh ?? null

  test('without a point there is none', () => {
    expect(pastStockReference(null, moment)).toEqual(noReferencePrice)
  })
  test.each([
    ['issuer', policy.quoteMaxAgeSeconds],
    ['chainlink', chainlinkEquityMaxAgeSeconds],
  ] as const)('of %s is fresh up to its age limit, then old', (source, maxSeconds) => {
    expect(freshOf(endedAgo(maxSeconds, source))).toBe(true)
    expect(freshOf(endedAgo(maxSeconds + 1, source))).toBe(false)
  })
  test('is measured at the start of the minute: seconds of it make it no older', () => {
    const point = endedAgo(policy.quoteMaxAgeSeconds, 'issuer')
    expect(freshOf(point, { ...moment, ts: ts + 59 })).toBe(true)
    expect(freshOf(point, { ...moment, ts: ts + 60 })).toBe(false)
  })
  test('of a feed is not fresh while the exchange is closed, of a publisher it is', () => {
    expect(freshOf(endedAgo(0, 'chainlink'), closed)).toBe(false)
    expect(freshOf(endedAgo(0, 'issuer'), closed)).toBe(true)
  })
  test('is the last external price as well, and independent while fresh', () => {
    const old = endedAgo(1e6, 'issuer')
    const price = { usd: 100, source: 'issuer', publishedTs: old.ts, fresh: false }
    expect(pastStockReference(old, moment)).toMatchObject({
      reference: { ...price, independent: false },
      lastExternal: price,
    })
    const fresh = pastStockReference(endedAgo(0, 'issuer'), moment)
    expect(fresh.reference?.independent).toBe(true)
  })
  test('of pools is never fresh, and absent once it is old', () => {
    const { reserveMaxAgeSeconds: maxSeconds } = policy
    expect(pastStockReference(endedAgo(maxSeconds, 'pools'), moment)).toMatchObject({
      reference: { usd: 100, fresh: false, independent: false },
      lastExternal: null,
    })
    expect(pastStockReference(endedAgo(maxSeconds + 1, 'pools'), moment)).toEqual(noReferencePrice)
  })
})

describe('the past reference of a trusted token', () => {
  test.each([
    ['chainlink', chainlinkHeartbeatSeconds],
    ['pools', policy.reserveMaxAgeSeconds],
  ] as const)('of %s is fresh up to its age limit, then absent', (source, maxSeconds) => {
    const isPools = source === 'pools'
    const { reference, lastExternal } = pastTrustedReference(endedAgo(maxSeconds, source), moment)
    expect(reference).toMatchObject({ usd: 100, fresh: true, independent: !isPools })
    expect(lastExternal === null).toBe(isPools)
    const late = pastTrustedReference(endedAgo(maxSeconds + 1, source), moment)
    expect(late).toEqual(noReferencePrice)
  })
  test('does not depend on the session, and is none without a point', () => {
    expect(pastTrustedReference(endedAgo(0, 'chainlink'), closed).reference?.fresh).toBe(true)
    expect(pastTrustedReference(null, moment)).toEqual(noReferencePrice)
  })
})
