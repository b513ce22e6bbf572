import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { formatEventId, parseEventId } from '../../../src/api/stream/event-id.ts'
import { createHub, type Hub } from '../../../src/api/stream/hub.ts'
import type { StreamFilter } from '../../../src/api/stream/messages.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import { noon } from '../../support/domain/sample-inputs.ts'
import { marketOver } from '../../support/market/sample-market.ts'
import { createStreamChain, poolIdOf, type StreamChain } from './stream-chain.ts'

/*
 * Processes come and go over one store in SQLite; a client returns with its last id to the next:
 *
 *   store     ── swaps ── fork ── swaps ──────────────────►
 *   process   ── a ──┤      ├── b ─────┤    ├── c ────────
 *   client    ───────┤        ├──┤ ├───┤      ├──── the rest, from the store, then live
 */

const all: StreamFilter = { topics: ['pool', 'swap', 'stock', 'source'], symbol: null, id: null }
const swapsOnly: StreamFilter = { ...all, topics: ['swap'] }

type Data = { block: number; logIndex: number; txHash: string; poolId: string }

/** Keeps the swaps that it was sent, by the rules of docs/api.md, and its last id. */
const createClient = (filter = swapsOnly) => {
  let held: (Data & { key: string })[] = []
  const topics: string[] = []
  const faults: string[] = []
  const rollbacks: (number | null)[] = []
  let lastId: string | null = null
  let leave = (): void => {}

  const hear = (block: string): void => {
    const id = /^id: (\S+)$/m.exec(block)?.[1]
    const topic = /^event: (\w+)$/m.exec(block)?.[1]
    if (id !== undefined) lastId = id
    if (topic === undefined) return
    topics.push(topic)
    const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null')
    if (topic === 'rollback') {
      rollbacks.push(data.afterBlock)
      held = held.filter((swap) => data.afterBlock !== null && swap.block <= data.afterBlock)
    }
    if (topic !== 'swap') return
    const last = held.at(-1)
    const isNext =
      last === undefined ||
      data.block > last.block ||
      (data.block === last.block && data.logIndex > last.logIndex)
    if (!isNext) faults.push(`${data.block}:${data.logIndex} after ${last.block}:${last.logIndex}`)
    held.push({ ...data, key: `${data.block}:${data.logIndex} ${data.txHash} ${data.poolId}` })
  }

  return {
    topics,
    faults,
    rollbacks,
    lastId: () => lastId,
    held: () => held.map(({ key }) => key),
    /** Breaks the connection after so many writes. */
    join: (hub: Hub, writesMax = Number.POSITIVE_INFINITY, id = lastId): void => {
      let writes = 0
      const connection = {
        write: (bytes: Buffer, then?: () => void) => {
          if (writes >= writesMax) return
          writes += 1
          for (const block of bytes.toString().split('\n\n')) hear(block)
          if (then !== undefined) setImmediate(then)
        },
      }
      leave = hub.subscribe(connection, filter, id)
    },
    leave: () => leave(),
  }
}

const keysOf = (chain: StreamChain): readonly string[] =>
  chain
    .swaps()
    .toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
    .map(({ block, logIndex, txHash, pool }) => `${block}:${logIndex} ${txHash} ${poolIdOf(pool)}`)

let processes = 0

/** One run of an API process, as far as the stream needs it. */
const startProcess = async (chain: StreamChain) => {
  const reads = { pages: 0 }
  const store: StoreReader = {
    snapshot: (read) =>
      chain.store.snapshot((snapshot) =>
        read({
          ...snapshot,
          swapPage: (query) => {
            reads.pages += 1
            return snapshot.swapPage(query)
          },
        }),
      ),
  }
  const { market, clock } = marketOver(store)
  processes += 1
  const runId = processes.toString(16).padStart(8, '0')
  const hub = createHub({ runId, readMissed: market.missedChanges })
  market.subscribe(hub.publish)
  await market.refresh()
  return { hub, market, clock, reads }
}

const openChain = async () => {
  const chain = await createStreamChain()
  onTestFinished(() => chain.store.close())
  await chain.extend([1, 0])
  return chain
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

const untilHeld = async (
  client: ReturnType<typeof createClient>,
  chain: StreamChain,
  poll = async (): Promise<void> => {},
): Promise<void> => {
  const isComplete = async () => {
    await poll()
    await turns(20)
    return client.held().length === keysOf(chain).length || client.topics.includes('resync')
  }
  await expect.poll(isComplete, { timeout: 20_000, interval: 5 }).toBe(true)
  expect(client.faults).toEqual([])
  expect(client.held()).toEqual(keysOf(chain))
}

/** Has the first swap, and its id. */
const newClient = async (chain: StreamChain, filter = swapsOnly) => {
  const { hub, market } = await startProcess(chain)
  const client = createClient(filter)
  client.join(hub)
  await chain.extend([0, 0])
  await market.refresh()
  client.leave()
  return client
}

/** The client holds what was indexed before it came. */
const withoutFirst = (chain: StreamChain): StreamChain => {
  const known = new Set(keysOf(chain))
  return {
    ...chain,
    swaps: () => {
      const rows = chain.swaps()
      return rows.filter(
        ({ block, logIndex, txHash, pool }) =>
          !known.has(`${block}:${logIndex} ${txHash} ${poolIdOf(pool)}`),
      )
    },
  }
}

test('a client on another process gets each missed swap once, then live ones', async () => {
  const chain = await openChain()
  const seen = withoutFirst(chain)
  const client = await newClient(chain)
  await chain.extend([300, 300, 150])
  const { hub, market } = await startProcess(chain)
  client.join(hub)
  await chain.extend([2, 3])
  await untilHeld(client, seen, () => market.refresh())
  expect(new Set(client.topics)).toEqual(new Set(['swap']))
  // Its id is of the new process now, which continues from memory.
  const { position } = parseEventId(client.lastId() ?? '') ?? {}
  expect(position).toMatchObject({ place: { block: 9 } })
})

test('more swaps than events are for come from the store to those who listen', async () => {
  const chain = await openChain()
  const seen = withoutFirst(chain)
  const { hub, market } = await startProcess(chain)
  const client = createClient()
  client.join(hub)
  for (const blocks of [[1, 2], [400, 300], [2], [501], [1], [0]]) {
    await chain.extend(blocks)
    await market.refresh()
    await turns(7)
  }
  await untilHeld(client, seen, () => market.refresh())
  expect(new Set(client.topics)).toEqual(new Set(['swap']))
})

test('what changed comes as records too, and what has no history as it is', async () => {
  const chain = await openChain()
  const client = await newClient(chain, all)
  client.topics.length = 0
  await chain.extend([3])
  const { hub } = await startProcess(chain)
  client.join(hub)
  await expect.poll(() => client.topics.includes('source')).toBe(true)
  expect(client.topics.slice(0, 6)).toEqual(['pool', 'pool', 'pool', 'swap', 'swap', 'swap'])
  expect(new Set(client.topics.slice(6))).toEqual(new Set(['stock', 'source']))
})

test('branches that were replaced since are one rollback to the lowest ancestor', async () => {
  const chain = await openChain()
  const seen = withoutFirst(chain)
  const client = await newClient(chain)
  const before = await startProcess(chain)
  client.join(before.hub)
  await chain.extend([2, 2, 2, 2, 2, 2])
  await untilHeld(client, seen, () => before.market.refresh())
  client.leave()
  await chain.reorganise(2, [1, 1, 1], 0)
  await chain.extend([1, 2])
  await chain.reorganise(8, [3, 1], 0)
  const { hub } = await startProcess(chain)
  client.join(hub)
  await untilHeld(client, seen)
  expect(client.rollbacks).toHaveLength(1)
  expect(chain.ancestors.has(client.rollbacks[0] ?? null)).toBe(true)
})

test('a client that is ahead of a slow process waits for it', async () => {
  const chain = await openChain()
  const seen = withoutFirst(chain)
  const client = await newClient(chain)
  const slow = await startProcess(chain)
  const fast = await startProcess(chain)
  client.join(fast.hub)
  await chain.extend([2, 2])
  await chain.reorganise(1, [2, 2], 0)
  await untilHeld(client, seen, () => fast.market.refresh())
  client.leave()
  client.join(slow.hub)
  await turns(50)
  await chain.extend([3])
  await untilHeld(client, seen, () => slow.market.refresh())
  expect(client.topics).not.toContain('resync')
})

test.each<readonly [string, (chain: StreamChain, id: string) => Promise<string>]>([
  ['an id of an earlier version', async () => 'abcdef12-57'],
  ['text', async () => 'nonsense'],
  [
    'swaps of a new pool that came late',
    async (chain, id) => {
      await chain.extend([1, 1])
      await chain.addLatePool()
      return id
    },
  ],
  [
    'more than two days',
    async (_, id) => {
      const parsed = parseEventId(id)
      if (parsed?.position == null) throw new Error(id)
      const { place } = parsed.position
      const position = { ...parsed.position, place: { ...place, ts: place.ts - 2 * 86_400 - 60 } }
      return formatEventId({ ...parsed, position })
    },
  ],
  [
    'swaps that were deleted',
    async (chain, id) => {
      // A later block of the next day, and the first day is gone.
      await chain.extend(Array.from({ length: 2 * 86_400 - 20 }, () => 0).concat([1, 1]))
      await chain.store.prune({ swapsBeforeTs: noon + 43_200, minuteRowsBeforeTs: 0 })
      return id
    },
  ],
  [
    'another branch of the same epoch',
    async (_, id) => {
      const parsed = parseEventId(id)
      if (parsed?.position == null) throw new Error(id)
      const tip = { ...parsed.position.tip, hashEnd: '12345678' }
      return formatEventId({ ...parsed, position: { ...parsed.position, tip } })
    },
  ],
  [
    'other stocks',
    async (_, id) => {
      const parsed = parseEventId(id)
      if (parsed?.position == null) throw new Error(id)
      return formatEventId({ ...parsed, position: { ...parsed.position, listing: '00000001' } })
    },
  ],
])('%s: one resync, and nothing else before what is new', async (_, prepare) => {
  const chain = await openChain()
  const client = await newClient(chain)
  const id = await prepare(chain, client.lastId() ?? '')
  const { hub, market } = await startProcess(chain)
  client.join(hub, Number.POSITIVE_INFINITY, id)
  await expect.poll(() => client.topics).toEqual(['resync'])
  await chain.extend([2])
  await market.refresh()
  await turns(20)
  expect(client.topics).toEqual(['resync', 'swap', 'swap'])
})

test('an id of another store, from its future, is a resync in the end', async () => {
  const chain = await openChain()
  const client = await newClient(chain)
  const parsed = parseEventId(client.lastId() ?? '')
  if (parsed?.position == null) throw new Error('no position')
  const id = formatEventId({ ...parsed, position: { ...parsed.position, epoch: 7 } })
  const { hub, market } = await startProcess(chain)
  client.join(hub, Number.POSITIVE_INFINITY, id)
  for (let polls = 0; polls < 110; polls++) {
    await market.refresh()
    await turns(5)
  }
  expect(client.topics).toEqual(['resync'])
})

test('a thousand clients that return at once share what is read', async () => {
  const chain = await openChain()
  const seen = withoutFirst(chain)
  const first = await startProcess(chain)
  const clients = Array.from({ length: 1000 }, () => createClient())
  for (const client of clients) client.join(first.hub)
  await chain.extend([1, 1])
  await first.market.refresh()
  await turns(50)
  for (const client of clients) client.leave()
  await chain.extend([200, 150])
  const { hub, reads } = await startProcess(chain)
  for (const client of clients) client.join(hub)
  const isComplete = async () => {
    await turns(2000)
    return clients.every(({ held }) => held().length === 352)
  }
  await expect.poll(isComplete, { timeout: 60_000 }).toBe(true)
  expect(clients.flatMap(({ faults, topics }) => [...faults, ...new Set(topics)])).toEqual(
    clients.map(() => 'swap'),
  )
  expect(clients.at(-1)?.held()).toEqual(keysOf(seen))
  // Two steps, each after a look whether swaps were deleted.
  expect(reads.pages).toBeLessThan(10)
}, 120_000)

test('heartbeats move a client that hears nothing', async () => {
  const chain = await openChain()
  const { hub, market } = await startProcess(chain)
  const client = createClient({ ...swapsOnly, symbol: 'NONE' })
  client.join(hub)
  const before = parseEventId(client.lastId() ?? '')
  await chain.extend([2])
  await market.refresh()
  await turns(5)
  hub.heartbeat()
  const after = parseEventId(client.lastId() ?? '')
  expect(after?.position?.place.block).toBe((before?.position?.place.block ?? 0) + 1)
  expect(client.topics).toEqual([])
})

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ extend: fc.array(fc.nat({ max: 90 }), { maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ fork: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ poll: fc.constant(true) }) },
  { weight: 4, arbitrary: fc.record({ writes: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ process: fc.constant(true) }) },
)

test('wherever connections and processes break, no swap is missed or comes twice', async () => {
  const play = async (acts: readonly Partial<Record<string, unknown>>[]) => {
    const chain = await createStreamChain()
    await chain.extend([1, 0])
    const seen = withoutFirst(chain)
    const client = createClient()
    let process = await startProcess(chain)
    client.join(process.hub)
    for (const { extend, fork, poll, writes, process: isNew } of acts) {
      if (Array.isArray(extend) && extend.length > 0) await chain.extend(extend as number[])
      // Not below the first block, whose swap the client fetched.
      if (typeof fork === 'number') await chain.reorganise(Math.min(fork, 3), [2, 1, 3], 0)
      if (poll === true) await process.market.refresh()
      if (typeof writes === 'number') {
        client.leave()
        client.join(process.hub, writes)
        await turns(writes * 3)
      }
      if (isNew === true) {
        client.leave()
        process = await startProcess(chain)
      }
    }
    client.leave()
    process = await startProcess(chain)
    client.join(process.hub)
    await untilHeld(client, seen, () => process.market.refresh())
    expect(client.topics).not.toContain('resync')
    await chain.store.close()
  }
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), play), {
    numRuns: process.env.TEST_TIER === 'T1' ? 500 : 40,
  })
})
