import { type Launch, type Request, resolveConfig } from '../config/config.ts'
import { sessionAt } from '../domain/stock/market-session.ts'
import { createConsole } from '../log/console.ts'
import type { EndpointReport } from '../rpc/endpoint.ts'
import { untilAborted } from '../util/until-aborted.ts'
import { systemClock } from './clock.ts'
import { serveApi } from './commands/api.ts'
import { checkStore, openReader } from './commands/check-store.ts'
import { runIndexerAfterApi, runIndexerInProcess, runIndexerInThread } from './commands/index.ts'
import { findSandboxFault, readSandboxNetwork } from './commands/sandbox-network.ts'
import { claimStore, findPortFault } from './compose/claim-resources.ts'
import { type CommandContext, createLatest } from './context.ts'
import { createShutdown } from './shutdown.ts'

type RunRequest = { readonly request: Request; readonly launch: Launch }

type ProcessControl = {
  readonly stop: AbortSignal
  /** Writes one line to standard error. */
  readonly reportError: (text: string) => void
}

const announce = ({ config, logger, clock }: CommandContext, url: string): void => {
  const { name, chainId } = config.network
  // Without the scheme, because the logger redacts URLs to their host.
  logger.info(`API listening on ${new URL(url).host}, start with /api/v1`, {
    network: name,
    chainId,
  })
  if (!config.sandbox) return
  logger.info(
    'Sandbox: local chain with simulated prices and traders; Ctrl-C stops it, and the next start ' +
      'continues with it',
  )
  if (sessionAt(clock.now()) !== 'closed') return
  logger.info('The stock market is closed: pools show a drift until it opens, and no premium')
}

/** Starts what the role requires; `context.shutdown` ends it. Returns the reason of a failure. */
const startRole = async (context: CommandContext): Promise<string | null> => {
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
  if (role === 'start') runIndexerAfterApi(context, api.value)
  announce(context, api.value.url)
  return null
}

/** Returns why this process cannot have its port or its store, before anything is created. */
const claimResources = async ({ role }: Request, launch: Launch): Promise<string | null> => {
  const { settings, store } =
    launch.kind === 'sandbox' ? launch : { settings: launch.config, store: launch.config.store }
  const portFault = role === 'index' ? null : await findPortFault(settings)
  if (portFault !== null || role === 'api') return portFault
  return claimStore(store)
}

/** Runs a role until it is stopped. Returns the exit code: 0 done, 1 failed. */
export const run = async (
  { request, launch }: RunRequest,
  control: ProcessControl,
): Promise<number> => {
  const settings = launch.kind === 'sandbox' ? launch.settings : launch.config
  const clock = systemClock
  const { logger, progress } = createConsole({
    stream: process.stdout,
    level: settings.logLevel,
    clock,
  })
  const shutdown = createShutdown((error) => logger.error('Shutdown failed', { error }))
  const failing = new AbortController()
  const stop = AbortSignal.any([control.stop, failing.signal])
  const fail = (reason: string): void => {
    if (failing.signal.aborted) return
    control.reportError(reason)
    failing.abort()
  }
  const start = async (): Promise<string | null> => {
    const fault =
      (launch.kind === 'sandbox' ? findSandboxFault() : null) ??
      (await claimResources(request, launch))
    if (fault !== null) return fault
    const { role } = request
    const sandboxFile =
      launch.kind === 'sandbox'
        ? await readSandboxNetwork(role, launch.store, { progress, logger, shutdown, stop })
        : null
    if (sandboxFile?.ok === false) return sandboxFile.fault
    const config = resolveConfig(request, sandboxFile?.value ?? null)
    if (!config.ok) return config.fault
    if (config.value.sandbox && role !== 'api') {
      // Imported late: on other networks only the indexer thread loads the chain adapters.
      const { removeOldSandboxStore } = await import('./commands/sandbox-store.ts')
      await removeOldSandboxStore(config.value, logger)
    }
    const rpc = createLatest<readonly EndpointReport[]>([])
    return startRole({
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
  const reason = await start()
  if (reason !== null && !control.stop.aborted) fail(reason)
  await untilAborted(stop)
  if (control.stop.aborted) {
    logger.info(request.role === 'api' ? 'Stopping' : 'Stopping after the current batch')
  }
  await shutdown.run()
  progress.end()
  return failing.signal.aborted ? 1 : 0
}
