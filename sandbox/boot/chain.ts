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

/** A chain that has its past, and all that is known beside it. */
export type Chain = {
  readonly node: ChainNode
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly own: OwnArtifacts
  readonly resumed: boolean
}

/** Between the first block and the first past trade: time for the deployment's blocks. */
const deploySeconds = 300

/** A pause shorter than this leaves no visible hole in a chart. */
const gapSecondsMax = 120

type ChainOptions = {
  readonly options: Options
  readonly paths: SandboxPaths
  readonly report: Report
  readonly own: OwnArtifacts
  readonly sourceHash: string
  readonly port: number
}

/** Goes on with the saved chain of an orderly stop, or makes a new one. */
export async function prepareChain(
  options: Options,
  paths: SandboxPaths,
  report: Report,
): Promise<Chain> {
  await endOrphanedAnvil(paths.anvilPid)
  report({ phase: 'compile', done: 0, total: 1 })
  const own = await compileContracts(options.dataDir)
  report({ phase: 'compile', done: 1, total: 1 })
  const sourceHash = hashSources(readSources())
  const port = options.anvilPort || (await freePort())
  const preparation = { options, paths, report, own, sourceHash, port }
  const saved = readSavedState(paths, options.settings, sourceHash)
  return (saved && (await resume(preparation, saved))) ?? (await begin(preparation))
}

/** Null when the saved state turns out to be of no use. */
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
    if (genesis.hash !== world.genesisHash) throw new Error('the saved state is another chain')
    deleteSavedState(paths)
    await fillGap({ rpc: node.rpc, world, prices, random, report, fromTs: headTs })
    report({ phase: 'resume', done: 1, total: 1 })
    return { node, world, prices, random, own: preparation.own, resumed: true }
  } catch {
    // Whatever is wrong with it, a new chain is always possible.
    await endOrphanedAnvil(paths.anvilPid)
    return null
  }
}

/** What would have happened while the sandbox was switched off, a day of it at most. */
async function fillGap(past: Omit<PastOptions, 'toTs'>): Promise<void> {
  const toTs = nowSeconds()
  if (toTs - past.fromTs <= gapSecondsMax) return
  const longest = past.world.settings.pastHours * 3_600
  await generatePast({ ...past, fromTs: Math.max(past.fromTs, toTs - longest), toTs })
}

async function begin(preparation: ChainOptions): Promise<Chain> {
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
