import { policyDefault } from '../../src/domain/status/freshness.ts'
import { startIndexer } from '../../src/indexer/index.ts'
import type { Store } from '../../src/ports/store.ts'
import type { IndexHeader } from '../../src/ports/store-batches.ts'
import { createChainReader } from '../../src/rpc/chain-reader.ts'
import { tokens } from '../support/domain/sample-market.ts'
import { keccak } from '../support/domain/sample-pool.ts'
import { createJournal } from '../support/indexer/journal.ts'
import { sampleNetwork } from '../support/indexer/market.ts'
import { createFakeQuotes } from '../support/indexer/quotes.ts'
import { openStore } from '../support/indexer/stored.ts'
import { hostileContracts } from './hostile.ts'
import { createWatch, sha256, writingTwice } from './invariants.ts'
import type { Random } from './random.ts'
import { createSimChain, firstBlock, firstTs, type SimChain } from './sim-chain.ts'
import { type Answering, type Contracts, createContracts } from './sim-contracts.ts'
import { createSimNode } from './sim-node.ts'
import { createSimOutbound, type SimUrl } from './sim-outbound.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

export const confirmations = 3
const pollMs = 1000
/** How far the chain's first blocks lie back when the index starts. */
const startMs = (firstTs + 400) * 1000

/** Pools indexed without their past know less than the chain until the backfill ends. */
const isComplete = ({ backfillCursor, cursor }: IndexHeader): boolean =>
  cursor !== null &&
  (backfillCursor === null || backfillCursor.completeAfter.block < backfillCursor.firstBlock)

/** Everything that is written is looked at, right after it was. */
const watched = (store: Store, look: () => Promise<void>): Store => {
  const after = async <T>(write: Promise<T>): Promise<T> => {
    const outcome = await write
    await look()
    return outcome
  }
  return {
    ...store,
    commitRange: (batch) => after(store.commitRange(batch)),
    seedPools: (adoption) => after(store.seedPools(adoption)),
    resetIndex: (indexed) => after(store.resetIndex(indexed)),
    commitBackfill: (batch) => after(store.commitBackfill(batch)),
    replaceBranch: (branch) => after(store.replaceBranch(branch)),
    advanceFinalized: (check) => after(store.advanceFinalized(check)),
  }
}

const createUrls = (chain: SimChain, counts: readonly number[], contracts: Contracts) =>
  counts.map(
    (nodes, at): SimUrl => ({
      url: `https://node-${at}.example/rpc`,
      nodes: Array.from({ length: nodes }, () =>
        createSimNode(chain, contracts, sampleNetwork.chainId),
      ),
      share: 0,
      accidents: [],
      latencyMs: 20 + 10 * at,
      batchMax: 100,
    }),
  )

const createReader = (
  urls: readonly SimUrl[],
  deps: { readonly time: VirtualTime; readonly random: Random; readonly onRequest: () => void },
) =>
  createChainReader({
    urls: urls.map(({ url }) => url),
    chainId: sampleNetwork.chainId,
    multicall3: null,
    finality: 'finalized',
    httpClient: createSimOutbound({ urls, ...deps }),
    timer: deps.time.timer,
    random: deps.random.next,
    logger: createJournal().logger,
  })

export type PipelineOptions = {
  readonly random: Random
  /** How many nodes stand behind each address. */
  readonly nodesOf: readonly number[]
  readonly isDoubled?: boolean
  readonly bootstrapBlocksMin?: number
  readonly contracts?: Answering
}

/** The whole pipeline over a simulated chain, in virtual time; nothing runs before `start`. */
export const createPipelineWorld = (options: PipelineOptions) => {
  const { random, nodesOf, bootstrapBlocksMin } = options
  const chain = createSimChain()
  const time = createVirtualTime(startMs)
  const contracts = createContracts(options.contracts ?? hostileContracts)
  const urls = createUrls(chain, nodesOf, contracts)
  const broken: string[] = []
  const state = {
    isBlind: false,
    skewSeconds: 0,
    onRequest: () => {},
  }
  const journal = createJournal()
  const memory = openStore()
  const watch = createWatch({ chain, store: memory, isBlind: () => state.isBlind, isComplete })
  const look = async () => {
    if (broken.length === 0) broken.push(...(await watch.violations()))
  }
  const twice = (store: Store) =>
    options.isDoubled ? writingTwice(store, (what) => broken.push(what)) : store
  const quotes = createFakeQuotes('issuer', { [tokens.apple]: 180, [tokens.tesla]: 240 })
  const onRequest = () => state.onRequest()

  const start = () =>
    startIndexer({
      network: { ...sampleNetwork, origin: firstBlock },
      chain: createReader(urls, { time, random, onRequest }),
      store: watched(twice(memory), look),
      clock: { now: () => Math.floor(time.nowMs() / 1000) + state.skewSeconds },
      logger: journal.logger,
      keccak256: keccak,
      sha256,
      // Not that of the seed: no result depends on it.
      random: Math.random,
      policy: { ...policyDefault, confirmations },
      quoteSources: [quotes.source],
      registry: null,
      screener: null,
      readSenders: null,
      historyDays: 7,
      pollMs,
      onProgress: () => {},
      onRefused: (reason) => broken.push(`refused: ${reason}`),
      ...(bootstrapBlocksMin === undefined ? {} : { bootstrapBlocksMin }),
    })

  return {
    ...{ random, chain, time, urls, contracts, broken, state, journal, store: memory, quotes },
    start,
    look,
  }
}

export type PipelineWorld = ReturnType<typeof createPipelineWorld>
