import { catalogue } from '../../api/catalogue.ts'
import { serverLimits } from '../../api/http/limits.ts'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { createServer } from '../../api/server.ts'
import { methodologyVersion } from '../../domain/methodology.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import { createMarket } from '../../market/create-market.ts'
import { systemTimer } from '../../net/timer.ts'
import type { StoreReader } from '../../ports/store.ts'
import { subscribeToSharedStore } from '../compose/shared-store.ts'
import { pollStoreMetrics } from '../compose/store-metrics.ts'
import type { CommandContext } from '../context.ts'

export type RunningApi = {
  /** The base URL. */
  readonly url: string
  /** Looks at the store now: something was written. */
  readonly wake: () => void
  /** Once it has looked at the store for the first time, however that went. */
  readonly firstPass: Promise<void>
}

/** A look that is under way may take so long at the end. */
const lookMsMax = 1_000

/** Serves the API from a store, following what its writer writes. The fault is one line. */
export const serveApi = async (
  { config, clock, logger, shutdown, rpc }: CommandContext,
  store: StoreReader,
): Promise<Outcome<RunningApi, string>> => {
  const { network, sandbox, confirmations, rateLimitPerMinute, trustedProxies } = config
  const watch = pollStoreMetrics(config.store, systemTimer)
  shutdown.add(watch.stop)
  const market = createMarket({
    store,
    clock,
    logger,
    policy: { ...policyDefault, confirmations },
    trusted: network.trustedQuotes,
    methodologyVersion,
    network: { name: network.name, chainId: network.chainId },
    isScreenerEnabled: network.screener !== null,
    hasOneCopy: config.store.kind !== 'postgres',
    writer: watch.writer,
  })
  const server = createServer({
    market,
    catalogue,
    metrics: createMetrics({
      market,
      rpc: rpc.read,
      storeBytes: watch.bytes,
      nowMs: systemTimer.nowMs,
    }),
    clock,
    logger,
    network: { name: network.name, sandbox, explorerUrl: network.explorerUrl },
    limits: serverLimits,
    rateLimitPerMinute,
    trustedProxies,
  })
  const listening = await server.listen({ host: config.host, port: config.port })
  if (!listening.ok) return failure(listening.fault.detail)
  market.start()
  // A look at a store that says nothing must not hold up a stop.
  shutdown.add(() => Promise.race([market.stop(), systemTimer.sleep(lookMsMax)]))
  shutdown.add(server.close)
  if (config.store.kind === 'postgres') {
    const bell = await subscribeToSharedStore(config.store, market.wake)
    shutdown.add(bell.close)
  }
  const { wake, firstPass } = market
  return success({ url: listening.value, wake, firstPass })
}
