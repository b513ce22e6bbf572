import type { Channel } from '../channel.ts'
import { badgePage } from '../dashboard/badge.ts'
import { dashboardPages } from '../dashboard/pages.ts'
import { docsPage } from '../docs/page.ts'
import type { Document } from '../document.ts'
import type { Endpoint } from '../endpoint.ts'
import { mcpChannel } from '../mcp/mcp.ts'
import { openapiDocument } from '../openapi/openapi.ts'
import { streamChannel } from '../stream/stream.ts'
import { apiIndexEndpoint } from './api-index.ts'
import { healthEndpoint } from './health.ts'
import { llmsDocument } from './llms.ts'
import { methodologyEndpoint } from './methodology.ts'
import { metricsDocument } from './metrics.ts'
import { poolEndpoint } from './pool.ts'
import { poolsEndpoint } from './pools.ts'
import { livenessEndpoint, readinessEndpoint } from './probes.ts'
import { statusEndpoint } from './status.ts'
import { stockEndpoint } from './stock.ts'
import { stocksEndpoint } from './stocks.ts'

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
