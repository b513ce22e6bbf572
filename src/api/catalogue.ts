import { badgePage } from './dashboard/badge.ts'
import { dashboardPages } from './dashboard/pages.ts'
import { docsPage } from './docs/docs-page.ts'
import { mcpChannel } from './mcp/mcp-route.ts'
import { openapiDocument } from './openapi/openapi.ts'
import { apiIndexEndpoint } from './routes/api-index.ts'
import { llmsDocument } from './routes/llms.ts'
import { methodologyEndpoint } from './routes/methodology.ts'
import { poolEndpoint, poolsEndpoint } from './routes/pools.ts'
import type { Catalogue } from './routes/route.ts'
import {
  healthEndpoint,
  livenessEndpoint,
  metricsDocument,
  readinessEndpoint,
  statusEndpoint,
} from './routes/service.ts'
import { stockEndpoint, stocksEndpoint } from './routes/stocks.ts'
import { streamChannel } from './stream/sse-route.ts'

/** Everything that the service answers: add an endpoint in `routes/`, and a line here. */
export const catalogue: Catalogue = {
  endpoints: [
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
  ],
  documents: [openapiDocument, docsPage, llmsDocument, metricsDocument],
  channels: [streamChannel, mcpChannel],
  pages: [...dashboardPages, badgePage],
}
