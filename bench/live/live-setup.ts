import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolEvent } from '../../src/domain/pool/pool-event.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { eventually } from '../../test/service/api.ts'
import { stockTokens } from '../chain/contracts-and-tokens.ts'
import { createSyntheticChain, type SyntheticChain } from '../chain/generate.ts'
import { defaultChainParams, lastChainBlock } from '../chain/params.ts'
import type { SimulatedPool } from '../chain/pool-simulator.ts'
import { startNode } from '../chain/start-node.ts'
import { type FillSize, fillStore } from './fill-store.ts'
import { createNetworkFile } from './network-file.ts'
import { type Service, startService } from './service.ts'

/** A chain whose last blocks are not released yet, and its prefilled store. */
export type LiveSetup = {
  readonly chain: SyntheticChain
  readonly storePath: string
  /** Head of the node. */
  readonly head: () => number
  /** Releases one more block; returns the performance time of the release. */
  readonly release: () => Promise<number>
  readonly start: () => Promise<Service>
  readonly close: () => Promise<void>
}

/** Pools that trade at the head, and blocks that exist at the start. */
const livePools = 60
const blocksBefore = 200
const eventsPerBlock = 5
const blockSeconds = 0.5

type LiveSetupOptions = {
  readonly directory: string
  /** Blocks to release later. */
  readonly blocks: number
  readonly fillSize: FillSize | null
  readonly now: number
}

export const openLiveSetup = async ({
  directory,
  blocks: later,
  fillSize,
  now,
}: LiveSetupOptions): Promise<LiveSetup> => {
  const blocks = blocksBefore + later
  const paramsAt = (headTs: number) => ({
    ...defaultChainParams,
    pools: livePools,
    blocks,
    events: livePools + blocks * eventsPerBlock,
    blockSeconds,
    startTs: Math.floor(headTs - blocks * blockSeconds),
  })
  const storePath = join(directory, 'live.sqlite')
  const startedMs = performance.now()
  if (fillSize !== null) {
    await fillStore(storePath, createSyntheticChain(paramsAt(now)), fillSize, now)
  }
  // The head is recent however long the fillSize took.
  const params = paramsAt(now + (performance.now() - startedMs) / 1000)
  const chain = createSyntheticChain(params)
  let lag = later
  const node = await startNode({ params, behavior: { lag } })
  return {
    chain,
    storePath,
    head: () => lastChainBlock(params) - lag,
    release: async () => {
      lag -= 1
      await node.setBehavior({ lag })
      return performance.now()
    },
    start: () => {
      const network = createNetworkFile(node.url)
      return startService({ directory, network, store: `sqlite:${storePath}` })
    },
    close: node.stop,
  }
}

/** Waits until the index has reached a block. */
export const untilIndexed = async (api: Service['api'], block: number): Promise<void> => {
  await eventually(
    () => api.ask('/api/v1/status'),
    ({ text, status }) =>
      status === 200 &&
      (JSON.parse(text) as { chain: { indexedBlock: number | null } }).chain.indexedBlock === block,
    { waitMs: 20, msMax: 600_000 },
  )
}

const stocks: ReadonlySet<string> = new Set(stockTokens.map(({ address }) => address))

/** Pools that the API serves; pools of two trusted tokens only give prices. */
const servedPools = ({ pools }: SyntheticChain): readonly SimulatedPool[] =>
  pools.filter(({ plan: { key } }) => stocks.has(key.token0) || stocks.has(key.token1))

const swapsOf = (chain: SyntheticChain, block: number): readonly PoolEvent[] => {
  const served = new Set(servedPools(chain).map(({ plan }) => plan.id))
  return chain.events.filter(
    ({ at, kind, poolId }) => at.block === block && kind === 'swapped' && served.has(poolId),
  )
}

type Detail = {
  readonly pool: PoolView
  readonly swaps: readonly { readonly txHash: string; readonly logIndex: number }[]
}

const answerMsMax = 120_000
const lookMs = 1

/** Measures the time from a block's release until its last swap is in the pool's response. */
export const timeBlock = async ({ api }: Service, setup: LiveSetup): Promise<number | null> => {
  const block = setup.head() + 1
  const swap = swapsOf(setup.chain, block).at(-1)
  const releasedMs = await setup.release()
  if (swap === undefined) {
    await untilIndexed(api, block)
    return null
  }
  const { txHash, logIndex } = swap.at
  while (performance.now() - releasedMs < answerMsMax) {
    const { text } = await api.ask(`/api/v1/pools/${swap.poolId}?range=1h`)
    const { swaps } = JSON.parse(text) as Detail
    if (swaps?.some((row) => row.txHash === txHash && row.logIndex === logIndex)) {
      return performance.now() - releasedMs
    }
    await delay(lookMs)
  }
  throw new Error(`block ${block} was not served within ${answerMsMax} ms`)
}

/** Verifies that every served price is the contract's price at the head. */
export const checkPrices = async ({ api }: Service, { chain, head }: LiveSetup): Promise<void> => {
  for (const { plan } of servedPools(chain)) {
    const expected = chain.snapshots.get(plan.id)?.findLast(({ block }) => block <= head())
    if (expected === undefined) continue
    const { pool } = await api.read<Detail>(`/api/v1/pools/${plan.id}`)
    if (pool.sqrtPriceX96 !== expected.sqrtPriceX96.toString()) {
      throw new Error(`${plan.id}: ${pool.sqrtPriceX96} is not ${expected.sqrtPriceX96}`)
    }
  }
}
