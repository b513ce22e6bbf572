import { resolveLaunch } from '../../config/config.ts'
import type { VerifyRequest } from '../../config/verify-command.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Console } from '../../log/console.ts'
import type { EndpointReport } from '../../rpc/endpoint.ts'
import { systemClock } from '../clock.ts'
import { checkSharedStore } from '../compose/shared-store.ts'
import { createLatest } from '../context.ts'
import { createShutdown } from '../shutdown.ts'
import { serveApi } from './api.ts'
import { openReader } from './check-store.ts'

type StoreTarget = Extract<VerifyRequest['published'], { kind: 'store' }>['store']

/** A service of this process alone, until it is closed. */
export type StoreService = { readonly url: string; readonly close: () => Promise<void> }

/**
 * Serves a store on the loopback interface: what is checked is then what a service on this store
 * would publish.
 */
export const serveStore = async (
  { network, rpc }: VerifyRequest,
  store: StoreTarget,
  output: Console,
): Promise<Outcome<StoreService, string>> => {
  const args = ['--port', '0', '--rate-limit', '0', '--rpc', rpc.reveal()]
  if (network === null) return failure('--network: expected that of the store')
  // A service waits for its database; who checks one wants to know.
  const reach = store.kind === 'postgres' ? await checkSharedStore(store) : null
  if (reach !== null && reach.kind !== 'reached') return failure(reach.fault)
  const named = [...args, '--network', network]
  const launch = resolveLaunch({ role: 'api', args: named, environment: {} })
  if (!launch.ok) return launch
  if (launch.value.kind === 'sandbox') {
    return failure("--network: expected the path of the sandbox's network file")
  }
  const { logger, progress } = output
  const shutdown = createShutdown((error) => logger.error('Shutdown failed', { error }))
  const context = {
    config: { ...launch.value.config, store },
    role: 'api',
    clock: systemClock,
    ...{ logger, progress, shutdown },
    rpc: createLatest<readonly EndpointReport[]>([]),
    fail: () => {},
  } as const
  const reader = await openReader(context)
  if (!reader.ok) return reader
  shutdown.add(reader.value.close)
  const api = await serveApi(context, reader.value)
  if (!api.ok) {
    await shutdown.run()
    return api
  }
  await api.value.firstPass
  return success({ url: api.value.url, close: shutdown.run })
}
