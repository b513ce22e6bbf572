import { transactionBlocksKept } from '../chain/anvil.ts'
import { type Miner, mineFreshBlocks, startMiner } from '../chain/miner.ts'
import { latestBlock } from '../chain/rpc.ts'
import { nowMillis, nowSeconds } from '../clock.ts'
import { removeFiles, writeJson } from '../files.ts'
import { announceMultiplier, createCommands } from '../http/commands.ts'
import { createControl } from '../http/control.ts'
import { createIssuer } from '../http/issuer.ts'
import { createRpcGate } from '../http/rpc-gate.ts'
import { createScreener } from '../http/screener.ts'
import { type Handler, startHttp } from '../http/server.ts'
import { createManifest } from '../manifest.ts'
import { startLiveMarket } from '../market/live.ts'
import { createTransactionSender, type TransactionSender } from '../market/transaction-sender.ts'
import { describeNetwork, type Urls } from '../network-file.ts'
import type { Options } from '../options.ts'
import type { Owners } from '../process/owners.ts'
import type { Ready, Report } from '../progress.ts'
import { stockSpecs, type World } from '../world/world.ts'
import { type Chain, prepareChain } from './chain.ts'
import { startNodeRenewal } from './node-renewal.ts'
import { commitSavedState, type SandboxPaths, sandboxPaths } from './saved-state.ts'

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
  lifetime: Owners,
  report: Report,
): Promise<Sandbox> {
  const startedMillis = nowMillis()
  const paths = sandboxPaths(options.dataDir)
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
  const outbox = createTransactionSender(node.rpc)
  const market = assemble({ chain, miner, outbox, paths, urls })
  Object.assign(handlers, doors({ ...market, chain, miner, outbox, urls, running, lifetime }))
  await announceNews(world, outbox)
  writeJson(paths.manifest, createManifest(world, urls))
  writeJson(paths.networkFile, describeNetwork(world, urls))
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

const describe = (options: Options, paths: SandboxPaths, urls: Urls, world: World): Running => ({
  ...{ pid: process.pid, controlUrl: urls.control, rpcUrl: urls.rpc },
  ...{ networkFile: paths.networkFile, manifest: paths.manifest },
  ...{ startedTs: nowSeconds(), genesisHash: world.genesisHash, settings: options.settings },
})

type Ground = {
  readonly chain: Chain
  readonly miner: Miner
  readonly outbox: TransactionSender
  readonly urls: Urls
}

/** Everything that moves: the market, the servers that speak of it, and the node's upkeep. */
function assemble({
  chain,
  miner,
  outbox,
  paths,
  urls,
}: Ground & { readonly paths: SandboxPaths }) {
  const { node, world, prices, random, own } = chain
  const issuer = createIssuer(world, prices)
  const screener = createScreener(node.rpc, world, prices)
  const gate = createRpcGate(node.rpc.url)
  const live = startLiveMarket({
    ...{ world, prices, random, own, outbox },
    onPrices: issuer.refresh,
    onPools: () => writeJson(paths.manifest, createManifest(world, urls)),
  })
  const upkeep = startNodeRenewal(node, miner, live, gate)
  return { issuer, screener, gate, live, upkeep }
}

type House = Ground &
  ReturnType<typeof assemble> & { readonly running: Running; readonly lifetime: Owners }

/** What the HTTP server answers, by the first segment of the path. */
function doors(house: House): Record<string, Handler> {
  const { chain, miner, outbox, issuer, screener, gate, live, upkeep } = house
  const { world } = chain
  const status = () => ({
    ...house.running,
    modes: { rpc: gate.mode(), quotes: issuer.mode(), screener: screener.mode() },
    live: live.status(),
    blocksMissed: miner.errors(),
    holders: house.lifetime.count(),
    headBlock: outbox.head(),
    /** False once the node has dropped the logs of the oldest blocks. */
    whole: outbox.head() <= transactionBlocksKept,
  })
  const parts = { world, outbox, issuer, screener, gate, live, renew: upkeep.renew, status }
  const control = createControl({
    status,
    manifest: () => createManifest(world, house.urls),
    commands: createCommands(parts),
    addOwner: house.lifetime.add,
  })
  const { handler: rhj } = issuer
  const { dexscreener, geckoterminal } = screener
  return { rpc: gate.handler, rhj, dexscreener, geckoterminal, control }
}

/** Multipliers that are told of now and take effect some minutes later. */
async function announceNews(world: World, outbox: TransactionSender): Promise<void> {
  for (const { key, multiplier, nextMultiplier } of stockSpecs(world)) {
    const isNews = world.multipliers[key]?.after === multiplier
    if (nextMultiplier === null || !isNews) continue
    announceMultiplier({ world, outbox }, key, nextMultiplier, announceSeconds)
  }
  await outbox.drain()
}

async function save({ node, world, prices, random }: Chain, paths: SandboxPaths): Promise<boolean> {
  const head = await latestBlock(node.rpc).catch(() => null)
  const dumped = await node.stop(dumpMillisMax)
  removeFiles([paths.anvilPid])
  if (!dumped || !head) return false
  const headTs = Number(head.timestamp)
  commitSavedState(paths, { world, prices: prices.save(), randomState: random.state(), headTs })
  return true
}
