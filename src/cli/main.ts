import { type Launch, type Request, resolveConfig } from '../config/config.ts'
import { createConsole } from '../log/console.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import { untilAborted } from '../util/until-aborted.ts'
import { systemClock } from './clock.ts'
import { serveApi } from './commands/api.ts'
import { checkStore, openReader } from './commands/check-store.ts'
import { runIndexerAfterApi, runIndexerInProcess, runIndexerInThread } from './commands/index.ts'
import { readSandboxNetwork } from './commands/sandbox-network.ts'
import { type CommandContext, createLatest } from './context.ts'
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

/** Starts what the role requires; `context.shutdown` ends it. Returns the reason of a failure. */
const bringUp = async (context: CommandContext): Promise<string | null> => {
  const { config, role, shutdown } = context
  if (config.store.kind === 'memory') {
    let wake = () => {}
    const store = await runIndexerInProcess(context, () => wake())
    if (!store.ok) return store.fault
    const api = await serveApi(context, store.value)
    if (!api.ok) return api.fault
    wake = api.value.wake
    announce(context, api.value.url)
    return null
  }
  const fault = await checkStore(context)
  if (fault !== null) return fault
  if (role === 'index') {
    runIndexerInThread(context, () => {})
    return null
  }
  const reader = await openReader(context)
  if (!reader.ok) return reader.fault
  shutdown.add(reader.value.close)
  const api = await serveApi(context, reader.value)
  if (!api.ok) return api.fault
  // Not before the port is ours: where it is in use, another one may be writing to this store.
  if (role === 'start') runIndexerAfterApi(context, api.value)
  announce(context, api.value.url)
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
  const shutdown = createShutdown((error) => logger.error('Could not end in order', { error }))
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
        ? await readSandboxNetwork(request.role, { progress, logger, shutdown, stop })
        : null
    if (sandboxFile?.ok === false) return sandboxFile.fault
    const { role } = request
    const config = resolveConfig(request, sandboxFile?.value ?? null)
    if (!config.ok) return config.fault
    if (config.value.sandbox && role !== 'api') {
      // It asks the chain; on any other network only the thread of the index does.
      const { removeOldSandboxStore } = await import('./commands/sandbox-store.ts')
      await removeOldSandboxStore(config.value, logger)
    }
    const rpc = createLatest<readonly EndpointReport[]>([])
    return bringUp({
      config: config.value,
      role,
      clock,
      logger,
      progress,
      shutdown,
      rpc,
      fail,
    })
  }
  const reason = await begin()
  if (reason !== null && !world.stop.aborted) fail(reason)
  await untilAborted(stop)
  await shutdown.run()
  progress.end()
  return failing.signal.aborted ? 1 : 0
}
