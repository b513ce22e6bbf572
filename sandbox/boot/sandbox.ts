import { transactionBlocksKept } from '../chain/anvil.ts'
import { type Miner, startMiner } from '../chain/miner.ts'
import { latestBlock } from '../chain/rpc.ts'
import { nowMillis, nowSeconds } from '../clock.ts'
import { removeFiles, writeJson } from '../files.ts'
import { announceMultiplier, createCommands } from '../http/commands.ts'
import { createControl } from '../http/control.ts'
import { createIssuer } from '../http/issuer.ts'
import { createScreener } from '../http/screener.ts'
import { type Handler, startHttp } from '../http/server.ts'
import type { Lifetime } from '../life/lifetime.ts'
import { manifestOf } from '../manifest.ts'
import { type Live, startLive } from '../market/live.ts'
import { createOutbox, type Outbox } from '../market/outbox.ts'
import { networkFileOf, type Urls } from '../network-file.ts'
import type { Options } from '../options.ts'
import type { Ready, Report } from '../progress.ts'
import { stockSpecsOf } from '../world/world.ts'
import { type Chain, prepareChain } from './chain.ts'
import { keepSaved, type Paths, pathsIn } from './saved.ts'

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
  removeFiles([paths.networkFile, paths.manifest, paths.running])
  const chain = await prepareChain(options, paths, report)
  report({ phase: 'start', done: 0, total: 1 })
  const miner = await startMiner(chain.anvil.rpc, options.settings.blockTimeSeconds)
  const outbox = createOutbox(chain.anvil.rpc)
  const { running, live, stopHttp } = await openDoors({
    options,
    paths,
    lifetime,
    chain,
    miner,
    outbox,
  })
  for (const stock of stockSpecsOf(chain.world)) {
    const isNews = chain.world.multipliers[stock.key]?.after === stock.multiplier
    if (stock.nextMultiplier === null || !isNews) continue
    announceMultiplier(
      { world: chain.world, outbox },
      stock.key,
      stock.nextMultiplier,
      announceSeconds,
    )
  }
  const ready: Ready = {
    phase: 'ready',
    ...running,
    resumed: chain.resumed,
    seconds: (nowMillis() - startedMillis) / 1_000,
  }
  const stop = async (): Promise<boolean> => {
    removeFiles([paths.running, paths.networkFile, paths.manifest])
    await live.stop()
    await miner.stop()
    await stopHttp()
    return save(chain, paths)
  }
  return { ready, died: chain.anvil.died, stop }
}

type Doors = {
  readonly options: Options
  readonly paths: Paths
  readonly lifetime: Lifetime
  readonly chain: Chain
  readonly miner: Miner
  readonly outbox: Outbox
}

/** The HTTP side and the market, which know each other by a few calls, and the files about both. */
async function openDoors({ options, paths, lifetime, chain, miner, outbox }: Doors) {
  const { anvil, world, prices } = chain
  const issuer = createIssuer(world, prices)
  const screener = createScreener(anvil.rpc, world, prices)
  const writeManifest = (): void => writeJson(paths.manifest, manifestOf(world, urls))
  const live: Live = startLive({
    ...{ rpc: anvil.rpc, miner, world, prices, random: chain.random, own: chain.own, outbox },
    onPrices: issuer.refresh,
    onPools: () => writeManifest(),
  })
  const status = () => ({
    ...running,
    live: live.status(),
    quotes: issuer.mode(),
    screener: screener.mode(),
    blocksMissed: miner.errors(),
    headBlock: outbox.head(),
    /** False once the node has dropped the logs of the oldest blocks. */
    whole: outbox.head() <= transactionBlocksKept,
  })
  const commands = createCommands({ world, outbox, issuer, screener, live, status })
  const handlers: Record<string, Handler> = {
    rhj: issuer.handler,
    dexscreener: screener.handler,
    control: createControl({
      status,
      manifest: () => manifestOf(world, urls),
      commands,
      onAttach: lifetime.hold,
    }),
  }
  const http = await startHttp(options.httpPort, handlers)
  const urls: Urls = {
    rpc: anvil.rpc.url,
    issuer: `${http.url}/rhj`,
    screener: `${http.url}/dexscreener`,
    control: `${http.url}/control`,
  }
  const running: Running = {
    ...{ pid: process.pid, controlUrl: urls.control, rpcUrl: urls.rpc },
    ...{ networkFile: paths.networkFile, manifest: paths.manifest },
    ...{ startedTs: nowSeconds(), genesisHash: world.genesisHash, settings: options.settings },
  }
  writeManifest()
  writeJson(paths.networkFile, networkFileOf(world, urls))
  writeJson(paths.running, running)
  return { running, live, stopHttp: http.stop }
}

async function save({ anvil, world, prices, random }: Chain, paths: Paths): Promise<boolean> {
  const head = await latestBlock(anvil.rpc).catch(() => null)
  const dumped = await anvil.stop(dumpMillisMax)
  removeFiles([paths.anvilPid])
  if (!dumped || !head) return false
  const headTs = Number(head.timestamp)
  keepSaved(paths, { world, prices: prices.save(), randomState: random.state(), headTs })
  return true
}
