import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDeepPools, deepPoolOf } from '../../../test/support/domain/deep-pools.ts'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { everyState, type PoolWindow, poolWindowSeconds } from './pool-window.ts'

const { usdg, apple, tesla, meme, weth } = tokens
const spec = { token: apple, other: usdg, depth: 1e6 }
const dayTs = 100_000

/** The prices and seconds of a window, oldest first; null if its start is not known. */
const statesOf = (window: PoolWindow | undefined, toTs: number) => {
  const states: (readonly [tick: number, seconds: number])[] = []
  if (window === undefined) return null
  const isKnown = everyState(window, toTs, ({ pool }, seconds) => {
    states.unshift([pool.state.price?.tick ?? 0, seconds])
    return true
  })
  return isKnown ? states : null
}

const tickOf = (price: number) => deepPoolOf({ ...spec, price }).state.price?.tick ?? 0

const createFollowed = (price = 200) => {
  const pools = createDeepPools({ ...spec, price })
  const window = () => pools.windows.sidesOf(apple)[0]?.window
  return {
    ...pools,
    to: (ts: number, next: number) => pools.move(ts, { ...spec, price: next }),
    at: (toTs: number) => statesOf(window(), toTs),
  }
}

describe('the states of a window', () => {
  it('of a pool without an event is its only state', () => {
    expect(createFollowed().at(dayTs)).toEqual([[tickOf(200), poolWindowSeconds]])
  })

  it('each with the seconds that it held', () => {
    const { to, at } = createFollowed()
    to(dayTs - 400, 210)
    to(dayTs - 200, 220)
    to(dayTs - 50, 230)
    expect(at(dayTs)).toEqual([
      [tickOf(210), 100],
      [tickOf(220), 150],
      [tickOf(230), 50],
    ])
  })

  it('of several in one second the one that rested', () => {
    const { to, at } = createFollowed()
    to(dayTs - 10, 2000)
    to(dayTs - 10, 2)
    to(dayTs - 10, 210)
    expect(at(dayTs)).toEqual([
      [tickOf(200), 290],
      [tickOf(210), 10],
    ])
  })

  it('without those after its end', () => {
    const { to, at } = createFollowed()
    to(dayTs + 5, 900)
    expect(at(dayTs)).toEqual([[tickOf(200), poolWindowSeconds]])
  })

  it('of a pool that is younger are not known', () => {
    const { pools, windows } = createDeepPools()
    pools.put(deepPoolOf({ ...spec, price: 200, createdTs: dayTs - 299 }))
    expect(statesOf(windows.sidesOf(apple)[0]?.window, dayTs)).toBeNull()
    expect(statesOf(windows.sidesOf(apple)[0]?.window, dayTs + 1)).not.toBeNull()
  })

  it('a rebuilt pool has its right state from its last event on', () => {
    const { pools, to, at } = createFollowed()
    to(dayTs - 10, 210)
    pools.put(deepPoolOf({ ...spec, price: 220 }))
    expect(at(dayTs)?.at(-1)).toEqual([tickOf(220), 10])
  })

  it('equal those of a plain list of all events', () => {
    const anyEvent = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(400), (events, after) => {
        const { to, at } = createFollowed()
        let ts = dayTs
        const all: (readonly [ts: number, price: number])[] = [[0, 200]]
        for (const [seconds, price] of events) {
          ts += seconds
          to(ts, price * 100)
          all.push([ts, price * 100])
        }
        const toTs = ts + after
        const rested = all.filter(([each], index) => all[index + 1]?.[0] !== each)
        const expected = rested.flatMap(([from, price], index) => {
          const end = Math.min(rested[index + 1]?.[0] ?? toTs, toTs)
          const isBefore = end <= toTs - poolWindowSeconds && end < toTs
          const start = Math.max(from, toTs - poolWindowSeconds)
          return isBefore ? [] : [[tickOf(price), end - start] as const]
        })
        expect(at(toTs)).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the sides', () => {
  it('are those whose other token is trusted', () => {
    const { windows } = createDeepPools(
      { token: apple, other: usdg, price: 200, depth: 1 },
      { token: weth, other: usdg, price: 2500, depth: 1 },
      { token: apple, other: tesla, price: 2, depth: 1 },
    )
    const sidesOf = (token: typeof apple) =>
      windows
        .sidesOf(token)
        .map(({ window, isToken0 }) => [window.present.pool.identity.number, isToken0])
    expect(sidesOf(apple)).toEqual([[1, false]])
    expect(sidesOf(weth)).toEqual([[2, false]])
    expect(sidesOf(usdg)).toEqual([[2, true]])
    expect([sidesOf(tesla), sidesOf(meme)]).toEqual([[], []])
    expect([...windows.pools()].map(({ identity }) => identity.number)).toEqual([1, 2])
  })

  it('keep few states however often a pool trades', () => {
    const { to, windows } = createFollowed()
    for (let ts = dayTs; ts < dayTs + 3000; ts += 1) to(ts, 200 + (ts % 7))
    expect(windows.sidesOf(apple)[0]?.window.past.length).toBeLessThanOrEqual(poolWindowSeconds + 1)
  })

  it('begin late where a window is restored without an earlier state', () => {
    const { windows, at } = createFollowed()
    const pool = deepPoolOf({ ...spec, price: 190 })
    windows.restore(1, [
      { ts: dayTs - 100, pool },
      { ts: dayTs - 40, pool: deepPoolOf({ ...spec, price: 200 }) },
    ])
    expect(at(dayTs)).toBeNull()
    expect(at(dayTs + 200)).toEqual([
      [tickOf(190), 60],
      [tickOf(200), 240],
    ])
  })
})
