import { serverLimits } from '../api/limits.ts'
import { createMetrics } from '../api/metrics/metrics.ts'
import { createMarket } from '../api/read-model/market.ts'
import { createServer } from '../api/server.ts'
import { policyDefault } from '../domain/freshness/policy.ts'
import { methodologyVersion } from '../domain/methodology.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { systemTimer } from '../net/timer.ts'
import type { StoreReader } from '../ports/store.ts'
import { storeBytesOf } from '../wiring/store.ts'
import type { Stage } from './stage.ts'

export type RunningApi = {
  /** The base URL. */
  readonly url: string
  /** Looks at the store now: something was written. */
  readonly poke: () => void
}

/** Serves the API from a store, following what its writer writes. The fault is one line. */
export const serveApi = async (
  { config, clock, logger, ending, rpc }: Stage,
  store: StoreReader,
): Promise<Outcome<RunningApi, string>> => {
  const { network, sandbox, confirmations, rateLimitPerMinute, trustedProxies } = config
  const market = createMarket({
    store,
    clock,
    logger,
    policy: { ...policyDefault, confirmations },
    trusted: network.trustedQuotes,
    methodologyVersion,
    network: { name: network.name, chainId: network.chainId },
    isScreenerEnabled: network.screener !== null,
  })
  const storeBytes = () => storeBytesOf(config.store)
  const server = createServer({
    market,
    metrics: createMetrics({ market, rpc: rpc.read, storeBytes, nowMs: systemTimer.nowMs }),
    clock,
    logger,
    network: { name: network.name, sandbox },
    limits: serverLimits,
    rateLimitPerMinute,
    trustedProxies,
  })
  const listening = await server.listen({ host: config.host, port: config.port })
  if (!listening.ok) return failure(listening.fault.detail)
  market.start()
  ending.add(market.stop)
  ending.add(server.close)
  return success({ url: listening.value, poke: market.poke })
}
