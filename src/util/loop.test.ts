import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startLoop } from './loop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const passSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

const unexpected = (error: unknown): never => {
  throw error
}

/** Counts its runs; each takes `workMs`. */
const createStep = (given: { readonly waitMs?: number | null; readonly workMs?: number } = {}) => {
  const { waitMs = 1000, workMs = 0 } = given
  let begun = 0
  let ended = 0
  return {
    begun: () => begun,
    ended: () => ended,
    step: async () => {
      begun += 1
      if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs))
      ended += 1
      return { waitMs }
    },
  }
}

describe('a loop', () => {
  //   step  .  .  .  .
  //   s     0  1  2  3
  it('runs a step at once and the next when it is due', async () => {
    const { step, begun } = createStep()
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(0)
    expect(begun()).toBe(1)
    await passSeconds(0.9)
    expect(begun()).toBe(1)
    await passSeconds(2.2)
    expect(begun()).toBe(4)
    await loop.stop()
  })

  it('runs one step at a time', async () => {
    const { step, begun, ended } = createStep({ waitMs: 0, workMs: 500 })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(1.2)
    expect([begun(), ended()]).toEqual([3, 2])
    loop.wake()
    await passSeconds(0.1)
    expect([begun(), ended()]).toEqual([3, 2])
    const stopped = loop.stop()
    await passSeconds(1)
    await stopped
  })

  it('ends when a step returns null', async () => {
    const { step, begun } = createStep({ waitMs: null })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(10)
    expect(begun()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    loop.wake()
    await passSeconds(10)
    expect(begun()).toBe(1)
    await loop.stop()
  })
})

describe('wake', () => {
  it('runs the next step at once during a wait', async () => {
    const { step, begun } = createStep({ waitMs: 60_000 })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(1)
    loop.wake()
    await passSeconds(0)
    expect(begun()).toBe(2)
    await passSeconds(59)
    expect(begun()).toBe(2)
    await loop.stop()
  })

  it('runs one more step after the current one', async () => {
    const { step, begun } = createStep({ waitMs: 60_000, workMs: 1000 })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(0.5)
    loop.wake()
    loop.wake()
    await passSeconds(0.6)
    expect(begun()).toBe(2)
    await passSeconds(10)
    expect(begun()).toBe(2)
    await loop.stop()
  })
})

describe('a step that throws', () => {
  it('is reported and retried after five seconds', async () => {
    const errors: unknown[] = []
    const bug = new Error('a bug')
    let tries = 0
    const fail = async () => {
      tries += 1
      throw bug
    }
    const loop = startLoop(fail, { onError: (error) => errors.push(error) })
    await passSeconds(4.9)
    expect(tries).toBe(1)
    await passSeconds(0.2)
    expect(tries).toBe(2)
    expect(errors).toEqual([bug, bug])
    await loop.stop()
  })
})

describe('stop', () => {
  it('ends the loop during a wait', async () => {
    const { step, begun } = createStep({ waitMs: 3_600_000 })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(1)
    await loop.stop()
    expect(vi.getTimerCount()).toBe(0)
    await passSeconds(7200)
    expect(begun()).toBe(1)
  })

  it('ends the loop after the current step', async () => {
    const { step, begun, ended } = createStep({ workMs: 1000 })
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(0.5)
    let isOver = false
    const stopped = loop.stop().then(() => {
      isOver = true
    })
    await passSeconds(0.4)
    expect(isOver).toBe(false)
    await passSeconds(0.2)
    await stopped
    expect([begun(), ended()]).toEqual([1, 1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not undone by a wake', async () => {
    const { step, begun } = createStep()
    const loop = startLoop(step, { onError: unexpected })
    await passSeconds(0)
    await loop.stop()
    loop.wake()
    await passSeconds(10)
    expect(begun()).toBe(1)
  })
})
