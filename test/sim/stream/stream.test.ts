import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoreReader } from '../../../src/ports/store.ts'
import { startServer } from '../../support/api/harness.ts'
import { marketOver } from '../../support/market/sample-market.ts'
import { createStreamChain, type StreamChain } from './stream-chain.ts'
import { createStreamListener, keysOf, type StreamListener } from './stream-listener.ts'

/*
 * A chain in SQLite, the API's own market and stream over it, and listeners over HTTP: whatever
 * the chain does and however the listeners come and go, each ends with exactly the indexed swaps.
 */

const listenersMax = 4

const swapCounts = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 })

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('extend'), blocks: swapCounts }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reorg'),
      depth: fc.integer({ min: 1, max: 8 }),
      blocks: swapCounts,
      keeps: fc.nat({ max: 3 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('poll') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unreadable') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('storm') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late pool') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('finalize') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('join', 'leave', 'pause', 'resume'),
      who: fc.nat({ max: listenersMax - 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.integer({ min: -3, max: 6 }) }),
  },
)

type Step = {
  readonly kind: string
  readonly blocks?: readonly number[]
  readonly depth?: number
  readonly keeps?: number
  readonly who?: number
  readonly seconds?: number
}

/** One run of the API process over the store; every read of swaps may fail once. */
const startApi = async (chain: StreamChain, ts: number, isReadFirst: boolean) => {
  let isBroken = false
  const store: StoreReader = {
    snapshot: (read) =>
      chain.store.snapshot((snapshot) =>
        read({
          ...snapshot,
          swapPage: (query) => {
            const wasBroken = isBroken
            isBroken = false
            return wasBroken ? Promise.reject(new Error('disk')) : snapshot.swapPage(query)
          },
        }),
      ),
  }
  const { market, clock } = marketOver(store, { hasOneCopy: true })
  clock.ts = ts
  // The server may come after the first read of the store, or before it.
  if (isReadFirst) await market.refresh()
  const server = await startServer({ market })
  await market.refresh()
  return {
    server,
    clock,
    poll: () => market.refresh().catch(() => {}),
    breakNextRead: () => {
      isBroken = true
    },
  }
}

const createWorld = async () => {
  const chain = await createStreamChain()
  await chain.extend([1, 0])
  let api = await startApi(chain, 1_795_215_600, false)
  const listeners = new Map<number, StreamListener>()

  const join = async (who: number): Promise<void> => {
    const listener = listeners.get(who) ?? createStreamListener(chain)
    listeners.set(who, listener)
    if (!listener.isConnected()) await listener.connect(api.server.port)
  }

  const restart = async (isReadFirst: boolean): Promise<void> => {
    for (const listener of listeners.values()) listener.disconnect()
    await api.server.close()
    api = await startApi(chain, api.clock.ts, isReadFirst)
  }

  const take = async ({ kind, blocks = [], depth = 1, keeps = 0, who = 0, seconds = 0 }: Step) => {
    if (kind === 'extend') await chain.extend(blocks)
    if (kind === 'reorg') await chain.reorganise(depth, blocks, keeps)
    if (kind === 'poll') await api.poll()
    if (kind === 'unreadable') api.breakNextRead()
    if (kind === 'storm') await chain.extend([300, 300])
    if (kind === 'late pool') await chain.addLatePool()
    if (kind === 'finalize') await chain.finalize()
    if (kind === 'restart') await restart(who % 2 === 0)
    if (kind === 'wait') api.clock.ts += seconds
    if (kind === 'join') await join(who)
    if (kind === 'leave') listeners.get(who)?.disconnect()
    if (kind === 'pause') listeners.get(who)?.pause()
    if (kind === 'resume') listeners.get(who)?.resume()
  }

  /** Everybody listens, and everything that is due is sent. */
  const settle = async (): Promise<void> => {
    for (const [who, listener] of listeners) {
      listener.resume()
      await join(who)
    }
    await api.poll()
    // A pending resync is sent after five seconds.
    api.clock.ts += 6
    await api.poll()
    const late = createStreamListener(chain)
    await late.connect(api.server.port)
    const isBehind = async (): Promise<boolean> => {
      await api.poll()
      return [...listeners.values()].some((each) => each.position() !== late.position())
    }
    await expect.poll(isBehind, { timeout: 20_000 }).toBe(false)
    late.disconnect()
  }

  return {
    chain,
    listeners,
    take,
    settle,
    close: async () => {
      for (const listener of listeners.values()) listener.disconnect()
      await api.server.close()
      await chain.store.close()
    },
  }
}

const play = async (steps: readonly Step[]): Promise<void> => {
  const world = await createWorld()
  try {
    await world.take({ kind: 'join', who: 0 })
    for (const each of steps) await world.take(each)
    await world.settle()
    const indexed = keysOf(world.chain.swaps())
    for (const listener of world.listeners.values()) {
      expect(listener.faults).toEqual([])
      expect(listener.held()).toEqual(indexed)
      // Late swaps of a new pool have no events.
      if (!steps.some(({ kind }) => kind === 'late pool')) expect(listener.missed()).toBe(0)
    }
  } finally {
    await world.close()
  }
}

const runs = process.env.TEST_TIER === 'T1' ? 2000 : 60

test('each listener ends with exactly the indexed swaps', async () => {
  const plots = fc.array(step, { minLength: 5, maxLength: 40 })
  await fc.assert(fc.asyncProperty(plots, play), { numRuns: runs })
})

const extend = { kind: 'extend', blocks: [2, 1, 0, 2, 1] }
const reorg = { kind: 'reorg', depth: 3, blocks: [1, 2, 3, 1], keeps: 0 }
const poll = { kind: 'poll' }

test.each<readonly [string, readonly Step[]]>([
  ['a reorganisation', [extend, poll, reorg, poll]],
  [
    'one that keeps the last swaps',
    [extend, poll, { ...reorg, keeps: 3, blocks: [1, 1, 1] }, poll],
  ],
  ['a shorter branch', [extend, poll, { ...reorg, depth: 5, blocks: [1] }, poll]],
  ['two before a poll', [extend, poll, reorg, { ...reorg, depth: 6 }, poll]],
  ['two, each polled', [extend, poll, reorg, poll, { ...reorg, depth: 6 }, poll]],
  ['one during a pending resync', [{ kind: 'storm' }, poll, extend, poll, reorg, poll]],
  ['one that cannot be read at first', [extend, poll, reorg, { kind: 'unreadable' }, poll, poll]],
  ['swaps that cannot be read at first', [extend, { kind: 'unreadable' }, poll, extend, poll]],
  ['late swaps of a new stock', [extend, poll, { kind: 'late pool' }, poll]],
  ['a restart between', [extend, poll, reorg, { kind: 'restart', who: 0 }, extend, poll]],
])('%s', async (_, steps) => {
  await play(steps)
})
