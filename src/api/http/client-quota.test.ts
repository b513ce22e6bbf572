import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClientQuota } from './client-quota.ts'

const step = fc.record({ client: fc.constantFrom('a', 'b', 'c'), isTaken: fc.boolean() })

test('no client holds more than its share, and all of them no more than the total', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const quota = createClientQuota({ total: 5, perClient: 3 })
      const held: Record<string, number> = { a: 0, b: 0, c: 0 }
      const sum = () => Object.values(held).reduce((all, own) => all + own, 0)
      for (const { client, isTaken } of steps) {
        const own = held[client] ?? 0
        if (!isTaken) {
          quota.release(client)
          held[client] = Math.max(0, own - 1)
          continue
        }
        const expected = own === 3 ? 'client-full' : sum() === 5 ? 'full' : 'taken'
        expect(quota.take(client)).toBe(expected)
        if (expected === 'taken') held[client] = own + 1
      }
    }),
  )
})
