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

/** Content of `sandbox.json`, and part of `GET /control/status`. */
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
  /** Resolves with the reason if the node ends by itself. */
  readonly died: Promise<string>
  /** Stops everything; true if the chain was saved. */
  readonly stop: () => Promise<boolean>
}

/** Seconds between the announcement of a multiplier and its effect. */
const announceSeconds = 600

/** Writing a day's state takes a second; half a million swaps would exceed this. */
const dumpMillisMax = 10_000

export async function startSandbox(
  options: Options,
  owners: Owners,
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
  const urls = urlsAt(http.url, node.rpc.url)
  const running = describe(options, paths, urls, world)
  const sender = createTransactionSender(node.rpc)
  const market = startMarket({ chain, miner, sender, paths, urls })
  Object.assign(
    handlers,
    createHandlers({ ...market, chain, miner, sender, urls, running, owners }),
  )
  await announceMultipliers(world, sender)
  writeJson(paths.manifest, createManifest(world, urls))
  writeJson(paths.networkFile, describeNetwork(world, urls))
  writeJson(paths.running, running)
  const seconds = (nowMillis() - startedMillis) / 1_000
  const stop = async (): Promise<boolean> => {
    removeFiles([paths.networkFile, paths.manifest])
    market.renewal.stop()
    await market.live.stop()
    await miner.stop()
    await http.stop()
    return save(chain, paths)
  }
  const ready: Ready = { phase: 'ready', ...running, resumed: chain.resumed, seconds }
  return { ready, died: node.died, stop }
}

const urlsAt = (base: string, node: string): Urls => ({
  rpc: `${base}/rpc`,
  node,
  issuer: `${base}/rhj`,
  screener: `${base}/dexscreener`,
  control: `${base}/control`,
})

const describe = (options: Options, paths: SandboxPaths, urls: Urls, world: World): Running => ({
  ...{ pid: process.pid, controlUrl: urls.control, rpcUrl: urls.rpc },
  ...{ networkFile: paths.networkFile, manifest: paths.manifest },
  ...{ startedTs: nowSeconds(), genesisHash: world.genesisHash, settings: options.settings },
})

type SandboxParts = {
  readonly chain: Chain
  readonly miner: Miner
  readonly sender: TransactionSender
  readonly urls: Urls
}

/** Starts the live market, creates its servers and schedules the renewal of the node. */
function startMarket({
  chain,
  miner,
  sender,
  paths,
  urls,
}: SandboxParts & { readonly paths: SandboxPaths }) {
  const { node, world, prices, random, own } = chain
  const issuer = createIssuer(world, prices)
  const screener = createScreener(node.rpc, world, prices)
  const gate = createRpcGate(node.rpc.url)
  const live = startLiveMarket({
    ...{ world, prices, random, own, sender },
    onPrices: issuer.refresh,
    onPools: () => writeJson(paths.manifest, createManifest(world, urls)),
  })
  const renewal = startNodeRenewal(node, miner, live, gate)
  return { issuer, screener, gate, live, renewal }
}

type HandlerDeps = SandboxParts &
  ReturnType<typeof startMarket> & { readonly running: Running; readonly owners: Owners }

/** Request handlers by the first segment of the path. */
function createHandlers(deps: HandlerDeps): Record<string, Handler> {
  const { chain, miner, sender, issuer, screener, gate, live, renewal } = deps
  const { world } = chain
  const status = () => ({
    ...deps.running,
    modes: { rpc: gate.mode(), quotes: issuer.mode(), screener: screener.mode() },
    live: live.status(),
    blocksMissed: miner.errors(),
    holders: deps.owners.count(),
    headBlock: sender.head(),
    /** False after the node has dropped logs of the oldest blocks. */
    whole: sender.head() <= transactionBlocksKept,
  })
  const parts = {
    world,
    sender,
    issuer,
    screener,
    rpcGate: gate,
    live,
    renew: renewal.renew,
    status,
  }
  const control = createControl({
    status,
    manifest: () => createManifest(world, deps.urls),
    commands: createCommands(parts),
    addOwner: deps.owners.add,
  })
  const { handler: rhj } = issuer
  const { dexscreener, geckoterminal } = screener
  return { rpc: gate.handler, rhj, dexscreener, geckoterminal, control }
}

/** Announces multipliers that take effect some minutes later. */
async function announceMultipliers(world: World, sender: TransactionSender): Promise<void> {
  for (const { key, multiplier, nextMultiplier } of stockSpecs(world)) {
    const isUnannounced = world.multipliers[key]?.after === multiplier
    if (nextMultiplier === null || !isUnannounced) continue
    announceMultiplier({ world, sender }, key, nextMultiplier, announceSeconds)
  }
  await sender.drain()
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
