import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { poolTopics } from '../src/domain/ingest/recognise.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../src/domain/stock/stock-events.ts'
import {
  differenceOf,
  linesOfChain,
  linesOfStore,
  statesOfChain,
  statesOfStore,
} from './canonical.ts'
import { createSyntheticChain, type SyntheticChain } from './chain/generate.ts'
import { lastBlockOf, originBlock } from './chain/params.ts'
import type { RunningNode } from './chain/start-node.ts'
import type { IndexingOrder, IndexingReport } from './index-process.ts'
import { confirmations, openStore } from './indexing.ts'

const script = fileURLToPath(new URL('./index-process.ts', import.meta.url))

/** Runs the indexer over the node into a new store. */
export const measureIndexing = async (order: IndexingOrder): Promise<IndexingReport> => {
  const child = fork(script, [JSON.stringify(order)])
  const ended = once(child, 'exit') as Promise<[number | null]>
  let report: IndexingReport | null = null
  child.on('message', (message) => {
    report = message as IndexingReport
  })
  const [code] = await ended
  if (report === null || code !== 0) throw new Error(`the indexer ended with ${code}`)
  return report
}

/** What is wrong with a store that should hold the whole chain; null if nothing is. */
export const faultOfStore = async (
  chain: SyntheticChain,
  storePath: string,
): Promise<string | null> => {
  const store = openStore(storePath)
  const to = lastBlockOf(chain.params) - confirmations
  const held = await linesOfStore(store, to)
  const { missing, surplus } = differenceOf(linesOfChain(chain, to), held)
  const states = await statesOfStore(store)
  await store.close()
  if (missing.length + surplus.length > 0) {
    return `${missing.length} events are missing, ${surplus.length} are not the chain's`
  }
  const told = statesOfChain(createSyntheticChain(chain.params, to))
  const wrong = [...told].filter(([id, state]) => !isDeepStrictEqual(states.get(id), state))
  return wrong.length === 0 ? null : `${wrong.length} pools are in another state`
}

/** As the indexer asks: everything that may concern it, whoever emitted it. */
const followedTopics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
const quantity = (value: number): string => `0x${value.toString(16)}`

const readAnswer = async (url: string, from: number, to: number): Promise<string> => {
  const filter = { fromBlock: quantity(from), toBlock: quantity(to), topics: [followedTopics] }
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(call) })
  return answer.text()
}

export type Baseline = {
  /** Of the node alone, so that nobody takes its speed for the indexer's. */
  readonly servedLogsPerSecond: number
  readonly parsedLogsPerSecond: number
}

/** How fast the node serves, and how fast its answers are parsed with nothing done to them. */
export const measureBaseline = async (
  node: RunningNode,
  { params, logs }: SyntheticChain,
): Promise<Baseline> => {
  const pieces = 20
  const blocks = Math.ceil(params.blocks / pieces)
  const texts: string[] = []
  const servedFrom = performance.now()
  for (let from = originBlock; from <= lastBlockOf(params); from += blocks) {
    texts.push(await readAnswer(node.url, from, Math.min(lastBlockOf(params), from + blocks - 1)))
  }
  const servedMs = performance.now() - servedFrom
  const parsedFrom = performance.now()
  let parsed = 0
  for (const text of texts) parsed += (JSON.parse(text) as { result: unknown[] }).result.length
  const parsedMs = performance.now() - parsedFrom
  if (parsed !== logs.length) throw new Error(`the node served ${parsed} of ${logs.length} logs`)
  return {
    servedLogsPerSecond: (logs.length / servedMs) * 1000,
    parsedLogsPerSecond: (logs.length / parsedMs) * 1000,
  }
}
