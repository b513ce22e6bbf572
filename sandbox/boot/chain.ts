import { compileContracts, hashSources, type OwnArtifacts, readSources } from '../build/compile.ts'
import { readUniswapArtifacts } from '../build/uniswap.ts'
import { type AnvilOptions, endOrphanedAnvil, freePort } from '../chain/anvil.ts'
import { type ChainNode, startNode } from '../chain/node.ts'
import { genesisBlock } from '../chain/rpc.ts'
import { nowSeconds } from '../clock.ts'
import { deployWorld } from '../deploy/deploy.ts'
import { generatePast, type PastOptions } from '../market/past.ts'
import { createPrices, type Prices } from '../market/prices.ts'
import type { Options } from '../options.ts'
import type { Report } from '../progress.ts'
import { createRandom, type Random, seedFor } from '../random.ts'
import type { World } from '../world/world.ts'
import {
  deleteSavedState,
  readSavedState,
  type SandboxPaths,
  type SavedState,
} from './saved-state.ts'

/** A chain with its past, and the sandbox's own state of it. */
export type Chain = {
  readonly node: ChainNode
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly own: OwnArtifacts
  readonly resumed: boolean
}

/** Seconds between the first block and the first trade, for the deployment's blocks. */
const deploySeconds = 300

/** A shorter pause leaves no visible gap in a chart. */
const gapSecondsMax = 120

type ChainOptions = {
  readonly options: Options
  readonly paths: SandboxPaths
  readonly report: Report
  readonly own: OwnArtifacts
  readonly sourceHash: string
  readonly port: number
}

/** Resumes the chain of an orderly stop, or creates a new one. */
export async function prepareChain(
  options: Options,
  paths: SandboxPaths,
  report: Report,
): Promise<Chain> {
  await endOrphanedAnvil(paths.anvilPid)
  report({ phase: 'compile', done: 0, total: 1 })
  const own = await compileContracts()
  report({ phase: 'compile', done: 1, total: 1 })
  const sourceHash = hashSources(readSources())
  const port = options.anvilPort || (await freePort())
  const preparation = { options, paths, report, own, sourceHash, port }
  const saved = readSavedState(paths, options.settings, sourceHash)
  return (saved && (await resume(preparation, saved))) ?? (await createChain(preparation))
}

/** Returns null if the saved state is unusable. */
async function resume(preparation: ChainOptions, saved: SavedState): Promise<Chain | null> {
  const { paths, report } = preparation
  const { world, headTs } = saved
  report({ phase: 'resume', done: 0, total: 1 })
  const prices = createPrices(world.settings.seed, saved.prices)
  const random = createRandom(saved.randomState)
  const input = { ...nodeOptions(preparation, world.genesisTs), loadPath: paths.state }
  try {
    const node = await startNode(input)
    const genesis = await genesisBlock(node.rpc)
    if (genesis.hash !== world.genesisHash)
      throw new Error('the saved state belongs to another chain')
    deleteSavedState(paths)
    await fillGap({ rpc: node.rpc, world, prices, random, report, fromTs: headTs })
    report({ phase: 'resume', done: 1, total: 1 })
    return { node, world, prices, random, own: preparation.own, resumed: true }
  } catch {
    // Whatever the reason, a new chain can be created.
    await endOrphanedAnvil(paths.anvilPid)
    return null
  }
}

/** Generates the trades of the time in which the sandbox was off, one past at most. */
async function fillGap(past: Omit<PastOptions, 'toTs'>): Promise<void> {
  const toTs = nowSeconds()
  if (toTs - past.fromTs <= gapSecondsMax) return
  const longest = past.world.settings.pastHours * 3_600
  await generatePast({ ...past, fromTs: Math.max(past.fromTs, toTs - longest), toTs })
}

async function createChain(preparation: ChainOptions): Promise<Chain> {
  const { options, paths, report, own, sourceHash } = preparation
  const { settings } = options
  deleteSavedState(paths)
  const now = nowSeconds()
  const fromTs = now - Math.round(settings.pastHours * 3_600)
  const genesisTs = fromTs - deploySeconds
  const node = await startNode(nodeOptions(preparation, genesisTs))
  const { rpc } = node
  const prices = createPrices(settings.seed)
  const random = createRandom(seedFor(settings.seed, 'market'))
  const uniswap = readUniswapArtifacts()
  const plan = { own, uniswap, settings, sourceHash, genesisTs, prices }
  const world = await deployWorld({ rpc, report, ...plan })
  await generatePast({ rpc, world, prices, random, report, fromTs, toTs: now })
  await node.renew()
  return { node, world, prices, random, own, resumed: false }
}

function nodeOptions({ paths, port }: ChainOptions, genesisTs: number): AnvilOptions {
  const files = { loadPath: null, dumpPath: paths.stateNext, pidPath: paths.anvilPid }
  return { port, genesisTs, ...files }
}
