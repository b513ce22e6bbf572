import { transactionBlocksKept } from '../chain/anvil.ts'
import { type Miner, mineFreshBlocks, startMiner } from '../chain/miner.ts'
import { latestBlock } from '../chain/rpc.ts'
import { nowMillis, nowSeconds } from '../clock.ts'
import { removeFiles, writeJson } from '../files.ts'
import { announceMultiplier, createCommands } from '../http/commands.ts'
import { createControl } from '../http/control.ts'
import { createIssuer } from '../http/issuer.ts'
import { createGate } from '../http/rpc-gate.ts'
import { createScreener } from '../http/screener.ts'
import { type Handler, startHttp } from '../http/server.ts'
import type { Lifetime } from '../life/lifetime.ts'
import { manifestOf } from '../manifest.ts'
import { startLive } from '../market/live.ts'
import { createOutbox, type Outbox } from '../market/outbox.ts'
import { networkFileOf, type Urls } from '../network-file.ts'
import type { Options } from '../options.ts'
import type { Ready, Report } from '../progress.ts'
import { stockSpecsOf, type World } from '../world/world.ts'
import { type Chain, prepareChain } from './chain.ts'
import { keepSaved, type Paths, pathsIn } from './saved.ts'
import { startUpkeep } from './upkeep.ts'

/** What the file `sandbox.json` and `GET /control/status` say. */
export type Running = {
  readonly pid: number
  readonly controlUrl: string
  readonly networkFile: string
  readonly manifest: string
  readonly rpcUrl: string
  readonly startedTs: number
  readonly genesisHash: string
  readonly settings: Options['settings']
}

export type Sandbox = {
  readonly ready: Ready
  /** Settles with the reason when the node ends by itself. */
  readonly died: Promise<string>
  /** Ends everything in order; true if the chain was saved. */
  readonly stop: () => Promise<boolean>
}

/** A split of the announced stock: some minutes between the word and the deed. */
const announceSeconds = 600

/** The state of a day is written in a second; half a million swaps would take longer than this. */
const dumpMillisMax = 10_000

export async function startSandbox(
  options: Options,
  lifetime: Lifetime,
  report: Report,
): Promise<Sandbox> {
  const startedMillis = nowMillis()
  const paths = pathsIn(options.dataDir)
  removeFiles([paths.networkFile, paths.manifest])
  const chain = await prepareChain(options, paths, report)
  report({ phase: 'start', done: 0, total: 1 })
  const { node, world } = chain
  await mineFreshBlocks(node.rpc)
  const miner = await startMiner(node.rpc, options.settings.blockTimeSeconds)
  const handlers: Record<string, Handler> = {}
  const http = await startHttp(options.httpPort, handlers)
  const urls = urlsAt(http.url)
  const running = describe(options, paths, urls, world)
  const outbox = createOutbox(node.rpc)
  const market = assemble({ chain, miner, outbox, paths, urls })
  Object.assign(handlers, doors({ ...market, chain, miner, outbox, urls, running, lifetime }))
  await announceNews(world, outbox)
  writeJson(paths.manifest, manifestOf(world, urls))
  writeJson(paths.networkFile, networkFileOf(world, urls))
  writeJson(paths.running, running)
  const seconds = (nowMillis() - startedMillis) / 1_000
  const stop = async (): Promise<boolean> => {
    removeFiles([paths.networkFile, paths.manifest])
    market.upkeep.stop()
    await market.live.stop()
    await miner.stop()
    await http.stop()
    return save(chain, paths)
  }
  const ready: Ready = { phase: 'ready', ...running, resumed: chain.resumed, seconds }
  return { ready, died: node.died, stop }
}

const urlsAt = (base: string): Urls => ({
  rpc: `${base}/rpc`,
  issuer: `${base}/rhj`,
  screener: `${base}/dexscreener`,
  control: `${base}/control`,
})

const describe = (options: Options, paths: Paths, urls: Urls, world: World): Running => ({
  ...{ pid: process.pid, controlUrl: urls.control, rpcUrl: urls.rpc },
  ...{ networkFile: paths.networkFile, manifest: paths.manifest },
  ...{ startedTs: nowSeconds(), genesisHash: world.genesisHash, settings: options.settings },
})

type Ground = {
  readonly chain: Chain
  readonly miner: Miner
  readonly outbox: Outbox
  readonly urls: Urls
}

/** Everything that moves: the market, the servers that speak of it, and the node's upkeep. */
function assemble({ chain, miner, outbox, paths, urls }: Ground & { readonly paths: Paths }) {
  const { node, world, prices, random, own } = chain
  const issuer = createIssuer(world, prices)
  const screener = createScreener(node.rpc, world, prices)
  const gate = createGate(node.rpc.url)
  const live = startLive({
    ...{ world, prices, random, own, outbox },
    onPrices: issuer.refresh,
    onPools: () => writeJson(paths.manifest, manifestOf(world, urls)),
  })
  const upkeep = startUpkeep(node, miner, live, gate)
  return { issuer, screener, gate, live, upkeep }
}

type House = Ground &
  ReturnType<typeof assemble> & { readonly running: Running; readonly lifetime: Lifetime }

/** What the HTTP server answers, by the first segment of the path. */
function doors(house: House): Record<string, Handler> {
  const { chain, miner, outbox, issuer, screener, gate, live, upkeep } = house
  const { world } = chain
  const status = () => ({
    ...house.running,
    modes: { rpc: gate.mode(), quotes: issuer.mode(), screener: screener.mode() },
    live: live.status(),
    blocksMissed: miner.errors(),
    holders: house.lifetime.holders(),
    headBlock: outbox.head(),
    /** False once the node has dropped the logs of the oldest blocks. */
    whole: outbox.head() <= transactionBlocksKept,
  })
  const parts = { world, outbox, issuer, screener, gate, live, renew: upkeep.renew, status }
  const control = createControl({
    status,
    manifest: () => manifestOf(world, house.urls),
    commands: createCommands(parts),
    onAttach: house.lifetime.hold,
  })
  const { handler: rhj } = issuer
  const { dexscreener, geckoterminal } = screener
  return { rpc: gate.handler, rhj, dexscreener, geckoterminal, control }
}

/** Multipliers that are told of now and take effect some minutes later. */
async function announceNews(world: World, outbox: Outbox): Promise<void> {
  for (const { key, multiplier, nextMultiplier } of stockSpecsOf(world)) {
    const isNews = world.multipliers[key]?.after === multiplier
    if (nextMultiplier === null || !isNews) continue
    announceMultiplier({ world, outbox }, key, nextMultiplier, announceSeconds)
  }
  await outbox.drain()
}

async function save({ node, world, prices, random }: Chain, paths: Paths): Promise<boolean> {
  const head = await latestBlock(node.rpc).catch(() => null)
  const dumped = await node.stop(dumpMillisMax)
  removeFiles([paths.anvilPid])
  if (!dumped || !head) return false
  const headTs = Number(head.timestamp)
  keepSaved(paths, { world, prices: prices.save(), randomState: random.state(), headTs })
  return true
}
