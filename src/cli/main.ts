import { configOf, type Launch, type Request } from '../config/config.ts'
import { createConsole } from '../log/console.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import { untilAborted } from '../util/until-aborted.ts'
import { systemClock } from './clock.ts'
import { serveApi } from './commands/api.ts'
import { checkStore, openReader } from './commands/check-store.ts'
import { runIndexerAfterApi, runIndexerInProcess, runIndexerInThread } from './commands/index.ts'
import { readSandboxNetwork } from './commands/sandbox-network.ts'
import { type CommandContext, createGauge } from './context.ts'
import { createShutdown } from './shutdown.ts'

type Order = { readonly request: Request; readonly launch: Launch }

type World = {
  readonly stop: AbortSignal
  /** One line on standard error. */
  readonly complain: (text: string) => void
}

const announce = ({ config, logger }: CommandContext, url: string): void => {
  const { name, chainId } = config.network
  // Without its scheme, because the log shows only the host of a URL.
  logger.info(`Serving at ${new URL(url).host}, begin with /api/v1`, { network: name, chainId })
  if (!config.sandbox) return
  logger.info('This is the sandbox: a local chain with invented prices and simulated traders')
}

/** Brings up what the role asks for; what is up is in `stage.ending`. The reason if it fails. */
const bringUp = async (stage: CommandContext): Promise<string | null> => {
  const { config, role, ending } = stage
  if (config.store.kind === 'memory') {
    let wake = () => {}
    const store = await runIndexerInProcess(stage, () => wake())
    if (!store.ok) return store.fault
    const api = await serveApi(stage, store.value)
    if (!api.ok) return api.fault
    wake = api.value.wake
    announce(stage, api.value.url)
    return null
  }
  const fault = await checkStore(stage)
  if (fault !== null) return fault
  if (role === 'index') {
    runIndexerInThread(stage, () => {})
    return null
  }
  const reader = await openReader(stage)
  if (!reader.ok) return reader.fault
  ending.add(reader.value.close)
  const api = await serveApi(stage, reader.value)
  if (!api.ok) return api.fault
  // Not before the port is ours: where it is in use, another one may be writing to this store.
  if (role === 'start') runIndexerAfterApi(stage, api.value)
  announce(stage, api.value.url)
  return null
}

/** Runs a role until it is asked to stop. The exit code: 0 done, 1 failed at work. */
export const run = async ({ request, launch }: Order, world: World): Promise<number> => {
  const settings = launch.kind === 'sandbox' ? launch.settings : launch.config
  const clock = systemClock
  const { logger, progress } = createConsole({
    stream: process.stdout,
    level: settings.logLevel,
    clock,
  })
  const ending = createShutdown((error) => logger.error('Could not end in order', { error }))
  const failing = new AbortController()
  const stop = AbortSignal.any([world.stop, failing.signal])
  const fail = (reason: string): void => {
    if (failing.signal.aborted) return
    world.complain(reason)
    failing.abort()
  }
  const begin = async (): Promise<string | null> => {
    const sandboxFile =
      launch.kind === 'sandbox'
        ? await readSandboxNetwork(request.role, { progress, logger, ending, stop })
        : null
    if (sandboxFile?.ok === false) return sandboxFile.fault
    const { role } = request
    const config = configOf(request, sandboxFile?.value ?? null)
    if (!config.ok) return config.fault
    if (config.value.sandbox && role !== 'api') {
      // It asks the chain; on any other network only the thread of the index does.
      const { removeOldSandboxStore } = await import('./commands/sandbox-store.ts')
      await removeOldSandboxStore(config.value, logger)
    }
    const rpc = createGauge<readonly EndpointReport[]>([])
    return bringUp({ config: config.value, role, clock, logger, progress, ending, rpc, fail })
  }
  const reason = await begin()
  if (reason !== null && !world.stop.aborted) fail(reason)
  await untilAborted(stop)
  await ending.run()
  progress.end()
  return failing.signal.aborted ? 1 : 0
}
