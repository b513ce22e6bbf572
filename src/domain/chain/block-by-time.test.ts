import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextTimeProbe } from './block-by-time.ts'

const anchorOf = (block: number, ts: number) => ({ block, hash: '0x00', ts }) as const

// Whatever the pace of the chain, few questions find a block at most a minute before the moment.
test('a moment is found on a chain of any pace', () => {
  const pace = fc.array(
    fc.record({ blocks: fc.integer({ min: 1, max: 1e6 }), seconds: fc.nat(1e6) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  fc.assert(
    fc.property(pace, fc.double({ min: 0, max: 1, noNaN: true }), (spans, share) => {
      const last = spans.reduce((sum, { blocks }) => sum + blocks, 0)
      const tsOf = (block: number): number => {
        let [ts, left] = [1_800_000_000, block]
        for (const { blocks, seconds } of spans) {
          ts += Math.floor((seconds * Math.min(left, blocks)) / blocks)
          left = Math.max(0, left - blocks)
        }
        return ts
      }
      const ts = Math.floor(tsOf(0) + share * (tsOf(last) - tsOf(0)))
      let [low, high] = [anchorOf(0, tsOf(0)), anchorOf(last, tsOf(last))]
      if (ts <= low.ts) return
      for (let tries = 0; ; tries++) {
        expect(tries).toBeLessThan(60)
        const probe = nextTimeProbe(low, high, { ts, tries })
        if (probe === null) break
        const found = anchorOf(probe, tsOf(probe))
        if (found.ts < ts) low = found
        else high = found
      }
      expect(low.ts).toBeLessThan(ts)
      expect(ts - low.ts <= 60 || high.block - low.block === 1).toBe(true)
    }),
  )
})
