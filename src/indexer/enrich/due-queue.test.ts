import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDueQueue } from './due-queue.ts'

const step = fc.oneof(
  fc.record({ dueTs: fc.nat(20) }),
  fc.record({ now: fc.nat(25), max: fc.nat(5) }),
)

it('gives what is due, the earliest first and of equal times the one added first', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = createDueQueue<number>()
      let waiting: { readonly item: number; readonly dueTs: number }[] = []
      for (const [item, next] of steps.entries()) {
        if ('dueTs' in next) {
          queue.add(item, next.dueTs)
          waiting.push({ item, dueTs: next.dueTs })
          waiting.sort((a, b) => a.dueTs - b.dueTs || a.item - b.item)
        } else {
          const due = waiting.filter(({ dueTs }) => dueTs <= next.now).slice(0, next.max)
          expect(queue.takeDue(next.now, next.max)).toEqual(due.map(({ item }) => item))
          waiting = waiting.filter((entry) => !due.includes(entry))
        }
      }
    }),
  )
})

it('looks at few of many items for each that it gives', () => {
  let looks = 0
  const count = 20_000
  const queue = createDueQueue<number>()
  for (let item = 0; item < count; item++) {
    // Comparing converts the time to a number.
    const dueTs = { valueOf: () => ++looks && (item * 7919) % count }
    queue.add(item, dueTs as unknown as number)
  }
  let taken = 0
  for (let due = queue.takeDue(count, 100); due.length > 0; due = queue.takeDue(count, 100)) {
    taken += due.length
  }
  expect(taken).toBe(count)
  expect(looks / count).toBeLessThan(200)
})
