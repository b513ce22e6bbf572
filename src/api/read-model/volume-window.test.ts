import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VolumeSecond } from '../../ports/store-rows.ts'
import { createVolumeWindow } from './volume-window.ts'

const hour = 3600
const day = 86_400

const secondAt = (ts: number, rest: Partial<VolumeSecond> = {}): VolumeSecond => ({
  pool: 1,
  ts,
  usdMicro: 1_500_000,
  swaps: 2,
  unpriced: 0,
  estimated: 1,
  ...rest,
})

const windowOf = (seconds: readonly VolumeSecond[]) => {
  const window = createVolumeWindow()
  for (const second of seconds) window.add(second)
  return window
}

/*
 *   (t − 86400, t]        one day       ]
 *                      (t − 3600, t]    ]
 *   ------o--------------------o-------t
 */
describe('windows that end at the indexed head (docs/methodology.md §5)', () => {
  const head = 10 * day
  test.each([
    ['the head itself', head, 1.5, 1.5],
    ['within the hour', head - hour + 1, 1.5, 1.5],
    ['an hour ago: no more', head - hour, 0, 1.5],
    ['within the day', head - day + 1, 0, 1.5],
    ['a day ago: no more', head - day, 0, 0],
  ])('%s', (_, ts, vol1hUsd, vol24hUsd) => {
    const swaps24h = vol24hUsd === 0 ? 0 : 2
    const estimatedSwaps24h = swaps24h / 2
    const volume = windowOf([secondAt(ts)]).volumeAt(head)
    expect(volume).toEqual({ vol1hUsd, vol24hUsd, swaps24h, estimatedSwaps24h })
  })

  test('a swap without a price makes windows unknown until it leaves them', () => {
    const window = windowOf([secondAt(head, { unpriced: 1 }), secondAt(head + 1)])
    expect(window.volumeAt(head + 1)).toMatchObject({ vol1hUsd: null, vol24hUsd: null })
    expect(window.volumeAt(head + hour)).toMatchObject({ vol1hUsd: 1.5, vol24hUsd: null })
    expect(window.volumeAt(head + day)).toMatchObject({ vol1hUsd: 0, vol24hUsd: 1.5 })
  })

  test('the same object while nothing changes', () => {
    const window = windowOf([secondAt(head)])
    const volume = window.volumeAt(head)
    expect(window.volumeAt(head + hour - 1)).toBe(volume)
    expect(window.volumeAt(head + hour)).not.toBe(volume)
  })

  test('is empty, and worth nothing, once all have left', () => {
    const window = windowOf([secondAt(head)])
    expect(window.isEmpty()).toBe(false)
    expect(window.volumeAt(head + day)).toMatchObject({ vol24hUsd: 0, swaps24h: 0 })
    expect(window.isEmpty()).toBe(true)
  })
})

test('however swaps come and time goes on, the sums are those of a recount', () => {
  const step = fc.record({
    wait: fc.oneof(fc.nat(3), fc.nat(2 * hour), fc.nat(day)),
    seconds: fc.array(
      fc.record({
        ago: fc.nat(50),
        usdMicro: fc.nat(2 ** 45),
        unpriced: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(1)),
      }),
      { maxLength: 30 },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const window = createVolumeWindow()
      const all: VolumeSecond[] = []
      let head = 10 * day
      for (const { wait, seconds } of steps) {
        const before = head
        head += wait
        const fresh = seconds
          .map(({ ago, usdMicro, unpriced }) =>
            secondAt(Math.max(before, head - ago), { usdMicro, unpriced }),
          )
          .sort((a, b) => a.ts - b.ts)
        for (const second of fresh) window.add(second)
        all.push(...fresh)
        const within = (span: number) => all.filter(({ ts }) => ts > head - span && ts <= head)
        const usd = (rows: readonly VolumeSecond[]) =>
          rows.some((row) => row.unpriced > 0)
            ? null
            : rows.reduce((sum, row) => sum + row.usdMicro, 0) / 1e6
        expect(window.volumeAt(head)).toEqual({
          vol1hUsd: usd(within(hour)),
          vol24hUsd: usd(within(day)),
          swaps24h: within(day).length * 2,
          estimatedSwaps24h: within(day).length,
        })
      }
    }),
  )
})
