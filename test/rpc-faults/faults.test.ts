import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import {
  chainEventLines,
  chainPoolStates,
  compareLines,
  digestLines,
  storedEventLines,
  storedPoolStates,
} from '../../bench/canonical.ts'
import { createSyntheticChain } from '../../bench/chain/generate.ts'
import {
  disturbances,
  errorKinds,
  type NodeBehavior,
  rateKinds,
} from '../../bench/chain/node-behavior.ts'
import { type ChainParams, defaultChainParams, lastChainBlock } from '../../bench/chain/params.ts'
import type { NodeOptions } from '../../bench/chain/server.ts'
import { type RunningNode, startNode } from '../../bench/chain/start-node.ts'
import { confirmations, openStore } from '../../bench/indexing.ts'
import { deadlineMsShort, headerOf, isIndexedUpTo, isSettledUpTo, startRun } from './run.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-rpc-faults-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const params: ChainParams = {
  ...defaultChainParams,
  seed: 7,
  pools: 100,
  blocks: 2000,
  events: 6000,
  blockSeconds: 15,
}
const chain = createSyntheticChain(params)
/** The chain as an index reads it: without the blocks that await their confirmations. */
const reached = createSyntheticChain(
  { ...params, fork: null },
  lastChainBlock(params) - confirmations,
)
const finalDepth = 20
const finalBlock = lastChainBlock(params) - finalDepth
const indexedBlock = lastChainBlock(params) - confirmations

/** 2,000 logs an answer, 50 ms, one in fifty goes wrong, and the limits in all disguises. */
const publicManners: Partial<NodeBehavior> = {
  latencyMs: 50,
  logsMax: 2000,
  batchMax: 20,
  errorPercent: 2,
  ratePercent: 3,
  retryAfterSeconds: 1,
  finalDepth,
}

const start = async (order: Partial<NodeOptions>) => {
  const node = await startNode({ params, ...order })
  onTestFinished(node.stop)
  return node
}

const open = (name: string) => {
  const store = openStore(join(dataDir, `${name}.sqlite`))
  onTestFinished(store.close)
  return store
}

const expectCanonical = async (store: ReturnType<typeof open>): Promise<void> => {
  const [expectedLines, storedLines] = [
    chainEventLines(chain, indexedBlock),
    await storedEventLines(store, indexedBlock),
  ]
  const { missing, surplus } = compareLines(expectedLines, storedLines)
  expect({ missing: missing.slice(0, 3), surplus: surplus.slice(0, 3) }).toEqual({
    missing: [],
    surplus: [],
  })
  expect(digestLines(storedLines)).toBe(digestLines(expectedLines))
  expect(await storedPoolStates(store)).toEqual(chainPoolStates(reached))
}

const isComplete = async (store: ReturnType<typeof open>): Promise<boolean> =>
  (await isIndexedUpTo(store, indexedBlock)) && (await isSettledUpTo(store, finalBlock))

const mischiefOf = async (node: RunningNode) => new Set(Object.keys((await node.counts()).faults))

test('over a capped, slow and faulty node the index ends with exactly the chain', async () => {
  const node = await start({ fixed: { timestamps: 'zero', seed: 3 }, behavior: publicManners })
  const store = open('faulty')
  const run = await startRun({ urls: [node.url], store, deadlineMs: deadlineMsShort })
  await expect.poll(() => isComplete(store)).toBe(true)
  await run.stop()
  await expectCanonical(store)
  expect((await headerOf(store))?.repairs).toBe(0)
})

// One in four requests comes to grief, so that each kind of fault happens, and several at once.
test('nothing is lost to a node of which a quarter of all answers is broken', async () => {
  const manners = {
    ...publicManners,
    latencyMs: 5,
    batchMax: 50,
    errorPercent: 12,
    ratePercent: 10,
    disturbPercent: 60,
  }
  const node = await start({ fixed: { timestamps: 'absent', seed: 5 }, behavior: manners })
  const store = open('broken')
  const run = await startRun({ urls: [node.url], store, deadlineMs: deadlineMsShort })
  await expect.poll(() => isComplete(store)).toBe(true)
  // What the reading was spared comes with the questions for the head, which continue.
  const all = new Set([...errorKinds, ...rateKinds, ...disturbances])
  await expect.poll(() => mischiefOf(node)).toEqual(all)
  await run.stop()
  await expectCanonical(store)
})

// An answer that lacks a log looks like any other: only the second reading, and only with a second
// endpoint, can find. What it finds is repaired and counted.
test('one of two endpoints omits logs that the other one returns', async () => {
  const manners = { logsMax: 2000, finalDepth }
  const forgetting = await start({ behavior: { ...manners, forgetPercent: 100 } })
  const honest = await start({ behavior: manners })
  const store = open('forgotten')
  const run = await startRun({ urls: [forgetting.url, honest.url], store })
  await expect.poll(() => isComplete(store)).toBe(true)
  await run.stop()
  // Found by the parts of a range or by the finality check.
  expect(await mischiefOf(forgetting)).toContain('forgotten')
  const [expectedLines, storedLines] = [
    chainEventLines(chain, finalBlock),
    await storedEventLines(store, finalBlock),
  ]
  expect(compareLines(expectedLines, storedLines)).toEqual({ missing: [], surplus: [] })
})

test('the bootstrap of a long chain ends the same way over the same node', async () => {
  const manners = { ...publicManners, latencyMs: 5, errorPercent: 8, blocksMax: 700 }
  const node = await start({ fixed: { timestamps: 'zero', seed: 11 }, behavior: manners })
  const store = open('bootstrap')
  const given = { deadlineMs: deadlineMsShort, bootstrapBlocksMin: 1000 }
  const run = await startRun({ urls: [node.url], store, ...given })
  const isFilled = async (): Promise<boolean> => {
    const history = (await headerOf(store))?.backfillCursor
    return (
      history !== null && history !== undefined && history.completeAfter.block < history.firstBlock
    )
  }
  await expect.poll(isFilled).toBe(true)
  await run.stop()
  await expectCanonical(store)
})
