import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  effectiveMultiplier,
  type Multiplier,
  multiplierAt,
  multiplierFromAnswers,
  multiplierOne,
  multiplierText,
  pendingMultiplier,
  usdPerShare,
  usdPerToken,
} from './multiplier.ts'

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

/** UIMultiplierUpdated events of chain 4663 (test/golden/SOURCES.md). */
type RecordedEvent = {
  symbol: string
  announcedTs: number
  oldMultiplier: string
  newMultiplier: string
  effectiveTs: number
}
const recorded: readonly RecordedEvent[] = JSON.parse(
  readFileSync(
    new URL('../../../test/golden/data/multiplier-events.json', import.meta.url),
    'utf8',
  ),
)
const announced = (event: RecordedEvent): Multiplier => ({
  current: BigInt(event.oldMultiplier),
  pending: BigInt(event.newMultiplier),
  effectiveTs: event.effectiveTs,
})

/*
 *  announced            effectiveTs
 *      |--- pending ---------|--- in force, no event --->
 */
describe('an announced multiplier', () => {
  const split: Multiplier = {
    current: multiplierOne,
    pending: 4n * multiplierOne,
    effectiveTs: 100,
  }

  it.each([
    [99, multiplierOne, true],
    [100, 4n * multiplierOne, false],
    [101, 4n * multiplierOne, false],
  ])('at %i is %s, a change ahead: %s', (now, effective, ahead) => {
    expect(effectiveMultiplier(split, now)).toBe(effective)
    const pending = { value: 4n * multiplierOne, effectiveTs: 100 }
    expect(pendingMultiplier(split, now)).toEqual(ahead ? pending : null)
  })

  it('that changes nothing is not pending', () => {
    const same: Multiplier = { current: 5n, pending: 5n, effectiveTs: 100 }
    expect(pendingMultiplier(same, 1)).toBeNull()
    expect(effectiveMultiplier(same, 1_000)).toBe(5n)
  })

  it.each([
    ['of before', split, 99, multiplierOne],
    ['of the change on', split, 100, 4n * multiplierOne],
    ['of before, read after it', { ...split, current: 4n * multiplierOne }, 99, null],
    ['of after, read after it', { ...split, current: 4n * multiplierOne }, 100, 4n * multiplierOne],
  ])('goes with the prices %s', (_, multiplier, ts, expected) => {
    expect(multiplierAt(multiplier, { ts, now: 150 })).toBe(expected)
  })

  it('that lies ahead leaves all prices of now alone', () => {
    const same: Multiplier = { current: 5n, pending: 5n, effectiveTs: 100 }
    expect(multiplierAt(same, { ts: 50, now: 60 })).toBe(5n)
    expect(multiplierAt(split, { ts: 50, now: 60 })).toBe(multiplierOne)
    expect(multiplierAt({ current: 5n, pending: null, effectiveTs: null }, { ts: 1, now: 9 })).toBe(
      5n,
    )
  })

  it('was never made: the current one holds for ever', () => {
    const plain: Multiplier = { current: 5n, pending: null, effectiveTs: null }
    expect(effectiveMultiplier(plain, 1e10)).toBe(5n)
    expect(pendingMultiplier(plain, 1)).toBeNull()
  })

  it("is read from the contract's three answers", () => {
    const answers = { uiMultiplier: 5n, newUiMultiplier: 6n, effectiveAt: 100n }
    const change: Multiplier = { current: 5n, pending: 6n, effectiveTs: 100 }
    const none: Multiplier = { current: 5n, pending: null, effectiveTs: null }
    expect(multiplierFromAnswers(answers)).toEqual(change)
    expect(multiplierFromAnswers({ ...answers, effectiveAt: 0n })).toEqual(none)
    expect(multiplierFromAnswers({ ...answers, effectiveAt: 2n ** 255n })).toEqual(none)
  })

  it('gives the same at any time, whenever the contract was read', () => {
    // The contract switches by itself: read afterwards, `current` is the new one already.
    const time = fc.integer({ min: 1, max: 4_000_000_000 })
    fc.assert(
      fc.property(uint256, uint256, time, time, time, (old, next, effective, readTs, now) => {
        const uiMultiplier = readTs >= effective ? next : old
        const effectiveAt = BigInt(effective)
        const state = multiplierFromAnswers({ uiMultiplier, newUiMultiplier: next, effectiveAt })
        if (now < readTs) return
        expect(effectiveMultiplier(state, now)).toBe(now >= effective ? next : old)
        const pending = pendingMultiplier(state, now)
        expect(pending !== null).toBe(now < effective && next !== old)
      }),
    )
  })
})

describe('the recorded changes', () => {
  it.each(recorded)('$symbol: pending from $announcedTs, in force at $effectiveTs', (event) => {
    const state = announced(event)
    expect(pendingMultiplier(state, event.announcedTs)?.value).toBe(state.pending)
    expect(effectiveMultiplier(state, event.effectiveTs - 1)).toBe(state.current)
    expect(effectiveMultiplier(state, event.effectiveTs)).toBe(state.pending)
    expect(pendingMultiplier(state, event.effectiveTs)).toBeNull()
  })

  it.each([
    ['CRWD', '4.000000000000000000'],
    ['SGOV', '1.002981519346766532'],
    ['MU', '1.000074823219171086'],
    ['ORCL', '1.002210914971013375'],
    ['DELL', '1.000063708620124549'],
    ['ASML', '1.000101323251417769'],
  ])("%s on 2026-08-08 is what the issuer's registry said that day: %s", (symbol, text) => {
    const now = Date.parse('2026-08-08T00:00:00Z') / 1000
    const last = recorded.findLast((row) => row.symbol === symbol && row.announcedTs <= now)
    const effective = effectiveMultiplier(announced(last as RecordedEvent), now)
    expect(multiplierText(effective)).toBe(text)
  })
})

describe('dollars per share and per token', () => {
  it.each([
    // A four-for-one split: a token is four shares at a quarter each.
    [100, 4n * multiplierOne, 400],
    [225.385, multiplierOne, 225.385],
    [100, multiplierOne / 10n, 10],
    [100, 1_000_957_519_890_990_718n, 100.095751989099],
  ])('$%d per share x %i = $%d per token', (share, multiplier, token) => {
    expect(usdPerToken(share, multiplier)).toBeCloseTo(token, 12)
    expect(usdPerShare(token, multiplier)).toBeCloseTo(share, 12)
  })

  it('a multiplier of zero prices nothing', () => {
    expect(usdPerToken(100, 0n)).toBeNull()
    expect(usdPerShare(100, 0n)).toBeNull()
    expect(usdPerToken(100, -1n)).toBeNull()
  })

  it('there and back is the same to a few units in the last place', () => {
    const price = fc.double({ min: 1e-6, max: 1e9, noNaN: true })
    const multiplier = fc.bigInt({ min: 10n ** 9n, max: 10n ** 27n })
    fc.assert(
      fc.property(price, multiplier, (share, value) => {
        const back = usdPerShare(usdPerToken(share, value) as number, value) as number
        expect(Math.abs(back / share - 1)).toBeLessThanOrEqual(4 * Number.EPSILON)
      }),
    )
  })

  it('is the exact product to two units in the last place', () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const multiplier = fc.bigInt({ min: 10n ** 15n, max: 10n ** 24n })
    fc.assert(
      fc.property(cents, multiplier, (share, value) => {
        const exact = Number(share * value) / 1e18
        const relative = (usdPerToken(Number(share), value) as number) / exact - 1
        expect(Math.abs(relative)).toBeLessThanOrEqual(2 * Number.EPSILON)
      }),
    )
  })
})

describe('a multiplier as text', () => {
  it.each([
    [1_000_957_519_890_990_718n, '1.000957519890990718'],
    [multiplierOne, '1.000000000000000000'],
    [0n, '0.000000000000000000'],
    [1n, '0.000000000000000001'],
    [-1n, '-0.000000000000000001'],
    [12_345n * multiplierOne + 5n, '12345.000000000000000005'],
  ])('%i is %s', (value, text) => {
    expect(multiplierText(value)).toBe(text)
  })
})
