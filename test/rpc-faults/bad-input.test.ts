import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { chainEventLines, compareLines, storedEventLines } from '../../bench/canonical.ts'
import { createSyntheticChain } from '../../bench/chain/generate.ts'
import type { NodeBehavior } from '../../bench/chain/node-behavior.ts'
import {
  type ChainParams,
  chainId,
  defaultChainParams,
  lastChainBlock,
} from '../../bench/chain/params.ts'
import { startNode } from '../../bench/chain/start-node.ts'
import { confirmations, openStore } from '../../bench/indexing.ts'
import type { Store } from '../../src/ports/store.ts'
import { errorOf, headerOf, isIndexedUpTo, isSettledUpTo, type Run, startRun } from './run.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-bad-input-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const params: ChainParams = {
  ...defaultChainParams,
  seed: 21,
  pools: 24,
  blocks: 400,
  events: 1200,
  blockSeconds: 30,
}
const lastBlock = lastChainBlock(params)
const fork = { at: lastBlock - 60, seed: 99 }
const main = createSyntheticChain(params)
/** So many blocks are still to come when a test begins. */
const lag = 100

const start = async (manners: Partial<NodeBehavior>) => {
  const node = await startNode({ params, fork, behavior: { finalDepth: 10, ...manners } })
  onTestFinished(node.stop)
  return node
}

const open = (name: string): Store => {
  const store = openStore(join(dataDir, `${name}.sqlite`))
  onTestFinished(store.close)
  return store
}

const poll = (what: () => Promise<unknown>) => expect.poll(what)

const indexedUpTo = (store: Store, block: number) =>
  poll(() => isIndexedUpTo(store, block - confirmations)).toBe(true)

const expectCanonical = async (store: Store, to: number, chain = main): Promise<void> => {
  const [expectedLines, storedLines] = [
    chainEventLines(chain, to),
    await storedEventLines(store, to),
  ]
  expect(compareLines(expectedLines, storedLines)).toEqual({ missing: [], surplus: [] })
}

/** Nothing crashed, and no message was logged hundreds of times. */
const expectCalm = ({ journal, refusals }: Run): void => {
  expect(refusals).toEqual([])
  expect(journal.of('error').filter(({ message }) => /^Unexpected error/.test(message))).toEqual([])
  expect(journal.of('warn').length + journal.of('error').length).toBeLessThan(30)
}

const wrongId = /chain ID is 1, expected 466399/

test('the only endpoint is of another chain: the start is refused with both ids', async () => {
  const node = await start({ chainId: 1 })
  const store = open('wrong-at-start')
  const run = await startRun({ urls: [node.url], store })
  await poll(async () => run.refusals.length).toBe(1)
  expect(run.refusals[0]).toMatch(wrongId)
  expect(run.journal.of('error')).toEqual([
    {
      level: 'error',
      message: 'RPC endpoint has the wrong chain ID',
      fields: { detail: expect.stringMatching(wrongId) },
    },
  ])
  expect((await headerOf(store))?.cursor).toBeNull()
})

test('one of two endpoints is of another chain: the other one is enough', async () => {
  const [wrong, right] = [await start({ chainId: 1 }), await start({})]
  const store = open('wrong-beside-right')
  const run = await startRun({ urls: [wrong.url, right.url], store })
  await indexedUpTo(store, lastBlock)
  await run.stop()
  expect(run.journal.count('RPC endpoint has the wrong chain ID')).toBe(1)
  expectCalm(run)
  await expectCanonical(store, lastBlock - confirmations)
})

test('the endpoint turns to another chain while it is followed, and back', async () => {
  const node = await start({ lag })
  const store = open('wrong-at-run-time')
  const run = await startRun({ urls: [node.url], store })
  await indexedUpTo(store, lastBlock - lag)
  await node.setBehavior({ chainId: 1, lag: 0 })
  await poll(() => errorOf(store)).toMatch(/^wrong-chain: /)
  expect(run.journal.of('error')[0]?.fields?.detail).toMatch(wrongId)
  expect((await headerOf(store))?.cursor?.block).toBe(lastBlock - lag - confirmations)
  await node.setBehavior({ chainId })
  run.timer.skip(10 * 60_000)
  await indexedUpTo(store, lastBlock)
  await poll(() => errorOf(store)).toBe('')
  await run.stop()
  expectCalm(run)
  await expectCanonical(store, lastBlock - confirmations)
})

test('a node without `finalized` is followed, and nothing is called settled', async () => {
  const node = await start({ finalDepth: null })
  const store = open('no-finality')
  const run = await startRun({ urls: [node.url], store })
  await indexedUpTo(store, lastBlock)
  await poll(() => errorOf(store)).toMatch(/^the endpoints report no finalized block/)
  expect(run.journal.count('No finalized block reported by the endpoints')).toBe(1)
  await run.stop()
  expect(await headerOf(store)).toMatchObject({ finalizedCursor: null, crossChecked: false })
  expectCalm(run)
  await expectCanonical(store, lastBlock - confirmations)
})

test('an endpoint that does not answer is waited for, at the start and later', async () => {
  const node = await start({ lag, isDead: true })
  const store = open('unusable')
  const run = await startRun({ urls: [node.url], store })
  await poll(() => errorOf(store)).toMatch(/^unreachable: 127\.0\.0\.1:\d+: connection failed/)
  expect(run.journal.count('Waiting for the chain')).toBeGreaterThan(0)
  await node.setBehavior({ isDead: false })
  await indexedUpTo(store, lastBlock - lag)
  await node.setBehavior({ isDead: true, lag: 0 })
  await poll(() => errorOf(store)).toMatch(/^unreachable: /)
  await node.setBehavior({ isDead: false })
  run.timer.skip(60_000)
  await indexedUpTo(store, lastBlock)
  await run.stop()
  expectCalm(run)
  await expectCanonical(store, lastBlock - confirmations)
})

test('a reorganisation above the settled block replaces what was read', async () => {
  const node = await start({ finalDepth: 200 })
  const store = open('reorg')
  const run = await startRun({ urls: [node.url], store })
  await indexedUpTo(store, lastBlock)
  await node.setBehavior({ branch: 'fork' })
  await poll(async () => (await headerOf(store))?.epoch).toBe(1)
  await node.setBehavior({ finalDepth: 10 })
  await poll(() => isSettledUpTo(store, lastBlock - 10)).toBe(true)
  await run.stop()
  expect(run.journal.count('Detected reorg deeper than the confirmations')).toBe(1)
  expectCalm(run)
  const other = createSyntheticChain({ ...params, fork })
  await expectCanonical(store, lastBlock - confirmations, other)
})

test('a reorganisation below the settled block stops the index, which says so', async () => {
  const node = await start({ lag: 20 })
  const store = open('finality-violated')
  const run = await startRun({ urls: [node.url], store })
  await poll(() => isSettledUpTo(store, lastBlock - 30)).toBe(true)
  const held = await storedEventLines(store, lastBlock)
  await node.setBehavior({ branch: 'fork', lag: 0 })
  const { hash } = main.blockRefAt(lastBlock - 30)
  const detail = `settled block ${lastBlock - 30} has hash ${hash} in the store and 0x`
  await poll(() => errorOf(store)).toContain(`finality-violated: ${detail}`)
  await run.stop()
  expect(run.journal.count('Indexing stopped: finality violated')).toBe(1)
  expectCalm(run)

  // A restart does not help as long as the chain says so, and loses nothing.
  const again = await startRun({ urls: [node.url], store })
  await poll(async () => again.journal.count('Indexing stopped: finality violated')).toBe(1)
  await again.stop()
  expect(await storedEventLines(store, lastBlock)).toEqual(held)

  await node.setBehavior({ branch: 'main' })
  const last = await startRun({ urls: [node.url], store })
  await indexedUpTo(store, lastBlock)
  await last.stop()
  expectCalm(last)
  await expectCanonical(store, lastBlock - confirmations)
})
