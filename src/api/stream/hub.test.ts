import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChangeEvent } from '../../market/changes.ts'
import { createHub, type Hub } from './hub.ts'
import type { StreamFilter } from './messages.ts'

/*
 * Deliveries that take many turns, while listeners join, leave, return and read slowly: each
 * hears every event after its position once and in order, or one resync and what follows it.
 */

const everything: StreamFilter = {
  topics: ['pool', 'swap', 'stock', 'source'],
  symbol: null,
  id: null,
}
/** Rollbacks reach every listener; sources do not reach this one. */
const nothing: StreamFilter = { ...everything, topics: ['swap'] }
const filters = [everything, nothing] as const

const eventAt = (number: number): ChangeEvent =>
  number % 3 === 0
    ? { topic: 'rollback', data: { afterBlock: number, ts: 1 }, about: null }
    : {
        topic: 'source',
        data: {
          source: 'swaps',
          state: 'ok',
          lastAttemptTs: number,
          lastSuccessTs: 1,
          lastError: null,
          ageSeconds: 0,
        },
        about: null,
      }

const matches = (number: number, filter: StreamFilter): boolean =>
  number % 3 === 0 || filter === everything

type World = { readonly hub: Hub; published: number }

/** A client that keeps the id of the last event, over several connections. */
const createListener = (world: World, filter: StreamFilter, isSlow: boolean) => {
  const faults: string[] = []
  let position = 0
  let leave: (() => void) | null = null
  let unread: (() => void)[] = []

  const hear = (block: string): void => {
    const number = Number(/^id: \w+-(\d+)$/m.exec(block)?.[1])
    const topic = /^event: (\w+)$/m.exec(block)?.[1]
    if (topic === 'resync') {
      position = number
      return
    }
    for (let missed = position + 1; missed < number; missed++)
      if (matches(missed, filter)) faults.push(`${missed} is missed before ${number}`)
    if (number <= position) faults.push(`${number} again after ${position}`)
    position = number
  }

  return {
    faults,
    join: (isNew: boolean): void => {
      if (leave !== null) return
      if (isNew) position = world.published
      const isCurrent = { value: true }
      const stop = world.hub.subscribe(
        {
          write: (bytes, then) => {
            if (!isCurrent.value) return
            for (const block of bytes.toString().split('\n\n'))
              if (block.includes('\nevent: ')) hear(block)
            if (then !== undefined && isSlow) unread.push(then)
            else if (then !== undefined) setImmediate(then)
          },
        },
        filter,
        isNew ? null : `${run}-${position}`,
      )
      leave = () => {
        isCurrent.value = false
        stop()
      }
    },
    leave: (): void => {
      leave?.()
      leave = null
    },
    read: (): void => {
      const waiting = unread
      unread = []
      for (const then of waiting) then()
    },
    /** Whether nothing that it should hear is left. */
    expectComplete: (): void => {
      for (let number = position + 1; number <= world.published; number++)
        if (matches(number, filter)) faults.push(`${number} is missed at the end`)
      expect(faults).toEqual([])
    },
  }
}

const crowd = 400
const run = '0000000a'

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ publish: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ publish: fc.constantFrom(600, 2500, 9000) }) },
  { weight: 5, arbitrary: fc.record({ join: fc.nat({ max: 5 }), isNew: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ leave: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ read: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ turns: fc.integer({ min: 1, max: 4 }) }) },
)

const play = async (steps: readonly Partial<Record<string, number | boolean>>[]) => {
  const world: World = {
    hub: createHub({ runId: run, readMissed: async () => ({ kind: 'lost' }) }),
    published: 0,
  }
  const listeners = Array.from({ length: 6 }, (_, at) =>
    createListener(world, filters[at % 2] ?? everything, at >= 3),
  )
  // So many that one delivery takes several turns.
  for (let at = 0; at < crowd; at++) world.hub.subscribe({ write: () => {} }, everything, null)
  const listenerAt = (who: unknown) => listeners[Number(who)] ?? listeners[0]
  for (const each of steps) {
    if (each.publish !== undefined) {
      const first = world.published + 1
      world.published += Number(each.publish)
      const numbers = Array.from({ length: Number(each.publish) }, (_, at) => first + at)
      world.hub.publish(numbers.map(eventAt))
    }
    if (each.join !== undefined) listenerAt(each.join)?.join(each.isNew === true)
    if (each.leave !== undefined) listenerAt(each.leave)?.leave()
    if (each.read !== undefined) listenerAt(each.read)?.read()
    for (let turn = 0; turn < Number(each.turns ?? 0); turn++) await nextTurn()
  }
  for (const listener of listeners) listener.join(false)
  // A replay of the whole buffer takes one turn for every few batches of it.
  for (let turn = 0; turn < 1500; turn++) {
    for (const listener of listeners) listener.read()
    await nextTurn()
  }
  for (const listener of listeners) listener.expectComplete()
}

test('each listener hears every event after its position once, or one resync', async () => {
  const plots = fc.array(step, { minLength: 3, maxLength: 25 })
  await fc.assert(fc.asyncProperty(plots, play), { numRuns: 200 })
})

test('a listener that joins while messages are queued hears those that come after it', async () => {
  await play([{ publish: 10 }, { publish: 10 }, { join: 0, isNew: true }, { publish: 10 }])
})
