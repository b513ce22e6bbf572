import { catalogueWith } from '../../api/catalogue.ts'
import { serverLimits } from '../../api/http/limits.ts'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { createServer } from '../../api/server.ts'
import type { Config } from '../../config/config.ts'
import { methodologyVersion } from '../../domain/methodology.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import { createExportedFiles } from '../../export/exported-files.ts'
import { createMarket } from '../../market/create-market.ts'
import { systemTimer } from '../../net/timer.ts'
import type { ExportedFiles } from '../../ports/exported-files.ts'
import type { StoreReader } from '../../ports/store.ts'
import { toReviewedHooks, toStandardOf, toVenues } from '../compose/network.ts'
import { subscribeToSharedStore } from '../compose/shared-store.ts'
import { pollStoreMetrics } from '../compose/store-metrics.ts'
import type { CommandContext } from '../context.ts'

export type RunningApi = {
  /** The base URL. */
  readonly url: string
  /** Starts a store sync now, after a write. */
  readonly wake: () => void
  /** Resolves after the first store sync, successful or not. */
  readonly firstPass: Promise<void>
}

/** A running store sync may delay the shutdown by this much. */
const syncMsMax = 1_000

const openExport = ({ exportDir, network: { chainId } }: Config): ExportedFiles | null =>
  exportDir === null ? null : createExportedFiles({ directory: exportDir, chainId })

/** Serves the API from a store and follows its writer. The fault is one line. */
export const serveApi = async (
  { config, clock, logger, shutdown, rpc }: CommandContext,
  store: StoreReader,
): Promise<Outcome<RunningApi, string>> => {
  const { network, sandbox, confirmations, rateLimitPerMinute } = config
  const { bytes: storeBytes, writer, stop } = pollStoreMetrics(config.store, systemTimer)
  shutdown.add(stop)
  const market = createMarket({
    store,
    clock,
    logger,
    policy: { ...policyDefault, confirmations },
    trusted: network.trustedQuotes,
    reviewedHooks: toReviewedHooks(network),
    venues: toVenues(network),
    standardOf: toStandardOf(network),
    methodologyVersion,
    network: { name: network.name, chainId: network.chainId },
    isScreenerEnabled: network.screener !== null,
    hasOneCopy: config.store.kind !== 'postgres',
    hasTraders: network.traders,
    writer,
  })
  const server = createServer({
    market,
    catalogue: catalogueWith(config.integrations),
    metrics: createMetrics({ market, rpc: rpc.read, storeBytes, nowMs: systemTimer.nowMs }),
    clock,
    logger,
    network: { name: network.name, sandbox, explorerUrl: network.explorerUrl },
    limits: serverLimits,
    rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.allowedOrigins,
    exportedFiles: openExport(config),
  })
  const listening = await server.listen({ host: config.host, port: config.port })
  if (!listening.ok) return failure(listening.fault.detail)
  market.start()
  // A store sync that waits for an unresponsive store must not block the shutdown.
  shutdown.add(() => Promise.race([market.stop(), systemTimer.sleep(syncMsMax)]))
  shutdown.add(server.close)
  if (config.store.kind === 'postgres') {
    const subscription = await subscribeToSharedStore(config.store, market.wake)
    shutdown.add(subscription.close)
  }
  return success({ url: listening.value, wake: market.wake, firstPass: market.firstPass })
}
