import { badgePage } from './dashboard/badge.ts'
import { dashboardPages } from './dashboard/pages.ts'
import { docsPage } from './docs/docs-page.ts'
import { mcpChannel } from './mcp/mcp-route.ts'
import { openapiDocument } from './openapi/openapi.ts'
import { apiIndexEndpoint } from './routes/api-index.ts'
import type { Endpoint } from './routes/endpoint.ts'
import { healthEndpoint } from './routes/health.ts'
import { llmsDocument } from './routes/llms.ts'
import { methodologyEndpoint } from './routes/methodology.ts'
import { metricsDocument } from './routes/metrics.ts'
import { poolEndpoint } from './routes/pool.ts'
import { poolsEndpoint } from './routes/pools.ts'
import { livenessEndpoint, readinessEndpoint } from './routes/probes.ts'
import type { Channel } from './routes/raw-route.ts'
import { statusEndpoint } from './routes/status.ts'
import { stockEndpoint } from './routes/stock.ts'
import { stocksEndpoint } from './routes/stocks.ts'
import type { Document } from './routes/text-route.ts'
import { streamChannel } from './stream/sse-route.ts'

/** Every question that can be asked: a new one is a file beside this one and a line here. */
export const endpoints: readonly Endpoint[] = [
  apiIndexEndpoint,
  healthEndpoint,
  statusEndpoint,
  methodologyEndpoint,
  poolsEndpoint,
  poolEndpoint,
  stocksEndpoint,
  stockEndpoint,
  livenessEndpoint,
  readinessEndpoint,
]

export const documents: readonly Document[] = [
  openapiDocument,
  docsPage,
  llmsDocument,
  metricsDocument,
]

/** What people look at. It changes as it likes, so it is not listed with the interface. */
export const pages: readonly Document[] = [...dashboardPages, badgePage]

export const channels: readonly Channel[] = [streamChannel, mcpChannel]
