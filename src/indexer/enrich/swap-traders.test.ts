import { beforeEach, expect, test } from 'vitest'
import {
  addressOf,
  batchOf,
  day,
  hashOf,
  identityOf,
  swapAt,
} from '../../../test/store-contract/fixtures.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { openClaimedStore } from '../../../test/support/indexer/stored.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { Hash } from '../../domain/units.ts'
import type { ReadSenders } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createSwapTraders } from './swap-traders.ts'

const done = { phase: 'done', done: 1, total: 1 } as const
const traderOf = (txHash: Hash) => addressOf(Number(BigInt(txHash) % 1000n))

let store: Store
let nowTs = day
const unknown = new Set<Hash>()
const asked: Hash[][] = []
let isDown = false
const readSenders: ReadSenders = async (transactions) => {
  asked.push(transactions.map(({ txHash }) => txHash))
  if (isDown) return failure({ kind: 'timeout', detail: 'too late' })
  return success(transactions.map(({ txHash }) => (unknown.has(txHash) ? null : traderOf(txHash))))
}

beforeEach(async () => {
  nowTs = day
  isDown = false
  unknown.clear()
  asked.length = 0
  store = await openClaimedStore()
  return () => store.close()
})

const commit = (before: number | null, to: number, progress: typeof done | null = done) => {
  const blocks = Array.from({ length: to - (before ?? 0) }, (_, at) => (before ?? 0) + 1 + at)
  const swaps = blocks.flatMap((block) =>
    [0, 1].map((logIndex) => swapAt({ pool: 1, block, logIndex })),
  )
  const pools = before === null ? [identityOf(1)] : []
  const rest = progress === null ? {} : { progress }
  return store.commitRange(batchOf({ before, to }, { pools, swaps, ...rest }))
}

const startTraders = () => {
  const journal = createJournal()
  const clock = { now: () => nowTs }
  return createSwapTraders({ readSenders, store, clock, logger: journal.logger })
}

/** Steps until nothing is left to do; returns the requests sent. */
const runUntilIdle = async ({ step }: ReturnType<typeof startTraders>): Promise<number> => {
  const before = asked.length
  for (let waitMs: number | null = 0; waitMs !== 5000; ) ({ waitMs } = await step())
  return asked.length - before
}

const missing = async () =>
  (await store.readSwapTransactions(null, 10_000)).filter(({ trader }) => trader === null)

test('asks for each transaction once, the newest first, and a restart for none again', async () => {
  await commit(null, 450)
  const traders = startTraders()
  expect(await runUntilIdle(traders)).toBe(5)
  const all = asked.flat()
  expect(all[0]).toBe(hashOf(450))
  expect(all).toEqual(Array.from({ length: 450 }, (_, at) => hashOf(450 - at)))
  const rows = await store.readSwapTransactions(null, 10_000)
  expect(rows.every(({ trader, txHash }) => trader === traderOf(txHash))).toBe(true)
  expect(await runUntilIdle(traders)).toBe(0)
  expect(await runUntilIdle(startTraders())).toBe(0)
})

test('new swaps come before the rest of a pass', async () => {
  await commit(null, 450)
  const traders = startTraders()
  for (let steps = 0; steps < 4; steps++) await traders.step()
  await commit(450, 452)
  await traders.step()
  const last = asked.at(-1) ?? []
  expect(last.slice(0, 2)).toEqual([hashOf(452), hashOf(451)])
  // What they leave of the request is for the past: new swaps never end on a busy chain.
  expect(last.length).toBeGreaterThan(2)
  await runUntilIdle(traders)
  expect(await missing()).toEqual([])
})

test('what no node knows holds nothing up, and is asked for an hour later', async () => {
  await commit(null, 450)
  for (const block of [3, 440]) unknown.add(hashOf(block))
  const traders = startTraders()
  await runUntilIdle(traders)
  expect((await missing()).map(({ block }) => block)).toEqual([440, 440, 3, 3])
  expect(await runUntilIdle(traders)).toBe(0)
  unknown.clear()
  nowTs += 3600
  expect(await runUntilIdle(traders)).toBe(1)
  expect(await missing()).toEqual([])
})

test('a transaction that a reorg moved is asked for in its new block', async () => {
  const moved = hashOf(999)
  const swapIn = (block: number) => swapAt({ pool: 1, block }, { txHash: moved })
  const first = batchOf({ before: null, to: 1 }, { pools: [identityOf(1)], progress: done })
  await store.commitRange(first)
  const left = batchOf({ before: 1, to: 3 }, { swaps: [swapIn(2)], progress: done })
  await store.commitRange(left)
  unknown.add(moved)
  const traders = startTraders()
  await runUntilIdle(traders)
  expect(await missing()).toHaveLength(1)
  unknown.delete(moved)
  const branch = batchOf({ before: 1, to: 3 }, { swaps: [swapIn(3)], progress: done })
  const rest = { epoch: 0, cursor: left.to, ancestor: first.to, restored: [], repairs: 0 }
  expect(await store.replaceBranch({ ...rest, branch })).toBe('committed')
  expect(await runUntilIdle(traders)).toBe(1)
  expect(await missing()).toEqual([])
})

test('waits for the index to catch up, and a minute after a fault', async () => {
  await commit(null, 5, null)
  const traders = startTraders()
  expect(await runUntilIdle(traders)).toBe(0)
  await commit(5, 6)
  isDown = true
  expect(await traders.step()).toEqual({ waitMs: 60_000 })
  expect(await missing()).toHaveLength(12)
  isDown = false
  await runUntilIdle(traders)
  expect(await missing()).toEqual([])
})
