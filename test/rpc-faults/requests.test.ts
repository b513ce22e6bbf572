import { expect, onTestFinished, test } from 'vitest'
import { chainEventLines, compareLines, storedEventLines } from '../../bench/canonical.ts'
import { createSyntheticChain } from '../../bench/chain/generate.ts'
import {
  type ChainParams,
  defaultChainParams,
  lastChainBlock,
  originBlock,
} from '../../bench/chain/params.ts'
import { startNode } from '../../bench/chain/start-node.ts'
import { confirmations, openStore } from '../../bench/indexing.ts'
import { poolTopics } from '../../src/domain/ingest/decode-pool-log.ts'
import { deadlineMsShort, isIndexedUpTo, openReader, startRun } from './run.ts'

/*
 * How often a node is asked, where nothing goes wrong. The bench does the same with the chain of
 * the performance table, of 100,000 events.
 */

type Bound = {
  readonly events: number
  /** Requests that ask for logs, with the ends of their range. */
  readonly logRequestsMax: number
  /** All others: heads, tokens, feeds, proofs of the chain's id. */
  readonly otherRequestsMax: number
}

const bounds: readonly Bound[] = [{ events: 15_000, logRequestsMax: 12, otherRequestsMax: 75 }]

test.each(bounds)('$events events cost a bounded number of requests', async (bound) => {
  const { events, logRequestsMax, otherRequestsMax } = bound
  const params: ChainParams = {
    ...defaultChainParams,
    events,
    pools: events / 50,
    blocks: events / 5,
  }
  const chain = createSyntheticChain(params)
  const node = await startNode({ params, behavior: { logsMax: 10_000 } })
  onTestFinished(node.stop)
  const store = openStore(':memory:')
  onTestFinished(store.close)
  const to = lastChainBlock(params) - confirmations
  const run = await startRun({ urls: [node.url], store })
  await expect.poll(() => isIndexedUpTo(store, to), { interval: 5 }).toBe(true)
  const { requests, logRequests, calls } = await node.counts()
  await run.stop()
  const [expectedLines, storedLines] = [
    chainEventLines(chain, to),
    await storedEventLines(store, to),
  ]
  expect(compareLines(expectedLines, storedLines)).toEqual({ missing: [], surplus: [] })
  expect(logRequests, JSON.stringify(calls)).toBeLessThanOrEqual(logRequestsMax)
  expect(requests - logRequests, JSON.stringify(calls)).toBeLessThanOrEqual(otherRequestsMax)
  // With times in the logs no header is read but those of ends and heads.
  expect(calls.eth_getBlockByNumber).toBeLessThan(requests * 3)
})

// Forty batches of headers, of which one in twenty hangs: all forty never come at once.
test('a header that was read is not asked for again because another one failed', async () => {
  const params: ChainParams = { ...defaultChainParams, events: 4000, pools: 40, blocks: 2000 }
  const manners = { batchMax: 50, errorPercent: 25, logsMax: 100_000 }
  const node = await startNode({
    params,
    behavior: manners,
    fixed: { timestamps: 'zero', seed: 2 },
  })
  onTestFinished(node.stop)
  const chain = openReader([node.url], deadlineMsShort)
  const range = { from: originBlock, to: lastChainBlock(params) }
  const blocks = new Set(createSyntheticChain(params).logs.map(({ block }) => block)).size
  const isRead = async () => (await chain.readRange(range, { topics: [poolTopics] })).ok
  await expect.poll(isRead).toBe(true)
  // Twice as often is usual. Repeating all of them would not come to an end.
  expect((await node.counts()).calls.eth_getBlockByNumber).toBeLessThan(5 * blocks)
})
