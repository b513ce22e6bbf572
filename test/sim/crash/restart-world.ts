import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexedNetwork } from '../../../src/indexer/deps.ts'
import { startIndexer } from '../../../src/indexer/index.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createChainReader } from '../../../src/rpc/chain-reader.ts'
import { createJournal } from '../../support/indexer/journal.ts'
import { createSimNode } from '../sim-node.ts'
import { createSimOutbound } from '../sim-outbound.ts'
import { createVirtualTime } from '../virtual-time.ts'
import { createCrashChain } from './crash-chain.ts'
import { chainId, crashNetwork, indexerDepsOf } from './crash-network.ts'
import { openFile } from './files.ts'
import { drawEarlierNetwork } from './network-files.ts'
import { growPast } from './plot.ts'

const pollMs = 500
const url = 'https://node.example/rpc'

/** An indexer on a file, and the ways in which it may come to its end. */
type Run = {
  readonly store: Store
  readonly network: IndexedNetwork
  /** In order: what is under way is finished. */
  readonly stop: () => Promise<void>
  /** As if it were gone: nothing of it continues. Its file stays open until the test is over. */
  readonly abandon: () => void
}

const never = new Promise<never>(() => {})

const streams: ReadonlySet<string> = new Set(['readTokens', 'readPools', 'readTicks'])

/** A store whose methods can be made never to answer again. */
const freezable = (store: Store) => {
  let isFrozen = false
  const methods = Object.entries(store).map(([name, method]) => {
    if (streams.has(name)) return [name, method]
    const frozen = async (...given: unknown[]): Promise<unknown> => {
      if (isFrozen) return never
      const outcome = await Reflect.apply(method, store, given)
      return isFrozen ? never : outcome
    }
    return [name, frozen]
  })
  const freeze = (): void => {
    isFrozen = true
  }
  return { store: Object.fromEntries(methods) as Store, freeze }
}

/** The whole pipeline on a file, in virtual time, over a chain with a past of days. */
export const createRestartWorld = (seed: number) => {
  const world = createCrashChain(seed)
  growPast(world)
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
  const path = join(folder, 'store.db')
  const time = createVirtualTime(world.chain.headBlock().anchor.ts * 1000)
  const node = createSimNode(world.chain, world.contracts, chainId)
  const place = { url, nodes: [node], share: 0, accidents: [], latencyMs: 5, batchMax: 100 }
  const journal = createJournal()
  const opened: Store[] = []
  /** The network file of the next run. */
  let network = drawEarlierNetwork(seed, crashNetwork) ?? crashNetwork

  const start = async (): Promise<Run> => {
    const store = openFile(path)
    opened.push(store)
    const frozen = freezable(store)
    const { random } = world
    const httpClient = createSimOutbound({ urls: [place], time, random, onRequest: () => {} })
    const { timer } = time
    const { logger } = journal
    const common = { urls: [url], chainId, multicall3: null, finality: 'finalized' } as const
    const chain = createChainReader({ ...common, httpClient, timer, random: random.next, logger })
    const deps = indexerDepsOf({
      chain,
      store: frozen.store,
      clock: { now: () => Math.floor(time.nowMs() / 1000) },
      logger,
      onRefused: (reason) => logger.error(`refused: ${reason}`),
      pollMs,
    })
    const own = network
    const indexer = await startIndexer({ ...deps, network: own })
    return {
      store,
      network: own,
      stop: async () => {
        await indexer.stop()
        await store.close()
      },
      abandon: frozen.freeze,
    }
  }

  return {
    ...world,
    time,
    node,
    path,
    journal,
    start,
    network: () => network,
    /** The next run has everything that earlier ones lacked. */
    completeNetwork: (): void => {
      network = crashNetwork
    },
    end: async (): Promise<void> => {
      for (const store of opened) await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type RestartWorld = ReturnType<typeof createRestartWorld>
export type RestartRun = Run
