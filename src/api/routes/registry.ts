import type { Endpoint } from '../endpoint.ts'
import { apiIndexEndpoint } from './api-index.ts'
import { healthEndpoint } from './health.ts'
import { poolEndpoint } from './pool.ts'
import { poolsEndpoint } from './pools.ts'
import { livenessEndpoint, readinessEndpoint } from './probes.ts'
import { statusEndpoint } from './status.ts'
import { stockEndpoint } from './stock.ts'
import { stocksEndpoint } from './stocks.ts'

/** Everything that can be asked: a new endpoint is a file beside this one and a line here. */
export const endpoints: readonly Endpoint[] = [
  apiIndexEndpoint,
  healthEndpoint,
  statusEndpoint,
  poolsEndpoint,
  poolEndpoint,
  stocksEndpoint,
  stockEndpoint,
  livenessEndpoint,
  readinessEndpoint,
]
