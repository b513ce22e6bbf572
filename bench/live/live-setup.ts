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
import { type Service, startService } from './service.ts'

/** A chain of which only the first part is told yet, and its store filled beforehand. */
export type LiveSetup = {
  readonly chain: SyntheticChain
  readonly storePath: string
  /** The node's head. */
  readonly head: () => number
  /** The node tells one more block; the performance time at which it began to. */
  readonly release: () => Promise<number>
  readonly start: () => Promise<Service>
  readonly close: () => Promise<void>
}

/** Pools that are traded in at the tip, and blocks that are there at the start. */
const livePools = 60
const blocksBefore = 200
const eventsPerBlock = 5
const blockSeconds = 0.5

type Order = {
  readonly directory: string
  /** Blocks that will be released. */
  readonly blocks: number
  readonly filling: FillSize | null
  readonly now: number
}

export const openLiveSetup = async ({
  directory,
  blocks: later,
  filling,
  now,
}: Order): Promise<LiveSetup> => {
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
  if (filling !== null) {
    await fillStore(storePath, createSyntheticChain(paramsAt(now)), filling, now)
  }
  // The chain's head is as young as on a real chain, however long the filling took.
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
    start: () => startService({ directory, rpcUrl: node.url, storePath }),
    close: node.stop,
  }
}

/** Waits until the index stands at the node's head. */
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

/** The pools that are served: those of two trusted tokens only tell prices. */
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

/** From the node's telling of a block until its last swap stands in its pool's answer. */
export const timeBlock = async ({ api }: Service, scene: LiveSetup): Promise<number | null> => {
  const block = scene.head() + 1
  const swap = swapsOf(scene.chain, block).at(-1)
  const toldMs = await scene.release()
  if (swap === undefined) {
    await untilIndexed(api, block)
    return null
  }
  const { txHash, logIndex } = swap.at
  while (performance.now() - toldMs < answerMsMax) {
    const { text } = await api.ask(`/api/v1/pools/${swap.poolId}?range=1h`)
    const { swaps } = JSON.parse(text) as Detail
    if (swaps?.some((row) => row.txHash === txHash && row.logIndex === logIndex)) {
      return performance.now() - toldMs
    }
    await delay(lookMs)
  }
  throw new Error(`block ${block} was not answered within ${answerMsMax} ms`)
}

/** That every pool with an event is told with the price that its contract has at this block. */
export const checkPrices = async ({ api }: Service, { chain, head }: LiveSetup): Promise<void> => {
  for (const { plan } of servedPools(chain)) {
    const moment = chain.snapshots.get(plan.id)?.findLast(({ block }) => block <= head())
    if (moment === undefined) continue
    const { pool } = await api.read<Detail>(`/api/v1/pools/${plan.id}`)
    if (pool.sqrtPriceX96 !== moment.sqrtPriceX96.toString()) {
      throw new Error(`${plan.id}: ${pool.sqrtPriceX96} is not ${moment.sqrtPriceX96}`)
    }
  }
}
