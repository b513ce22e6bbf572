import { type IntegrationName, integrationNames } from '../domain/integrations.ts'
import { badgeRoute } from './dashboard/badge.ts'
import { dashboardPages } from './dashboard/pages.ts'
import { docsRoute } from './docs/docs-page.ts'
import { integrationEndpoints } from './integrations/integrations.ts'
import { mcpRoute } from './mcp/mcp-route.ts'
import { openapiRoute } from './openapi/openapi.ts'
import { apiIndexEndpoint } from './routes/api-index.ts'
import { poolCandlesEndpoint, stockCandlesEndpoint } from './routes/candles.ts'
import { filesEndpoint } from './routes/exported-files.ts'
import { fileRoute } from './routes/file-download.ts'
import { poolLiquidityEndpoint } from './routes/liquidity.ts'
import { llmsRoute } from './routes/llms.ts'
import { methodologyEndpoint } from './routes/methodology.ts'
import { poolProvenanceEndpoint } from './routes/pool-provenance.ts'
import { poolDepthEndpoint, poolQuoteEndpoint } from './routes/pool-quote.ts'
import { poolRangesEndpoint } from './routes/pool-ranges.ts'
import { poolEndpoint, poolsEndpoint } from './routes/pools.ts'
import { resolveEndpoint } from './routes/resolve.ts'
import type { Catalogue } from './routes/route.ts'
import {
  healthEndpoint,
  livenessEndpoint,
  metricsRoute,
  readinessEndpoint,
  statusEndpoint,
} from './routes/service.ts'
import { stockDepthEndpoint, stockQuoteEndpoint } from './routes/stock-orders.ts'
import { stockEndpoint, stocksEndpoint } from './routes/stocks.ts'
import { poolSwapsEndpoint, stockSwapsEndpoint, swapsEndpoint } from './routes/swaps.ts'
import { tokenPricesEndpoint } from './routes/token-prices.ts'
import { streamRoute } from './stream/sse-route.ts'
import { udfConfigRoute, udfTimeRoute } from './udf/udf-config.ts'
import { udfHistoryRoute } from './udf/udf-history.ts'
import { udfSearchRoute, udfSymbolsRoute } from './udf/udf-symbols.ts'

/** Every route of the service. A new endpoint is a file in `routes/` and a line here. */
export const catalogue: Catalogue = {
  endpoints: [
    apiIndexEndpoint,
    healthEndpoint,
    statusEndpoint,
    methodologyEndpoint,
    poolsEndpoint,
    poolEndpoint,
    poolQuoteEndpoint,
    poolDepthEndpoint,
    poolRangesEndpoint,
    poolCandlesEndpoint,
    poolSwapsEndpoint,
    poolLiquidityEndpoint,
    poolProvenanceEndpoint,
    stocksEndpoint,
    stockEndpoint,
    stockQuoteEndpoint,
    stockDepthEndpoint,
    stockCandlesEndpoint,
    stockSwapsEndpoint,
    swapsEndpoint,
    tokenPricesEndpoint,
    resolveEndpoint,
    filesEndpoint,
    livenessEndpoint,
    readinessEndpoint,
    ...Object.values(integrationEndpoints).flat(),
  ],
  textRoutes: [
    openapiRoute,
    docsRoute,
    llmsRoute,
    metricsRoute,
    udfConfigRoute,
    udfTimeRoute,
    udfSymbolsRoute,
    udfSearchRoute,
    udfHistoryRoute,
  ],
  rawRoutes: [streamRoute, mcpRoute, fileRoute],
  pages: [...dashboardPages, badgeRoute],
}

/** The routes without those of integrations that are switched off. */
export const catalogueWith = (switchedOn: readonly IntegrationName[]): Catalogue => {
  const left = integrationNames.filter((name) => !switchedOn.includes(name))
  const omitted = new Set(left.flatMap((name) => integrationEndpoints[name]))
  return { ...catalogue, endpoints: catalogue.endpoints.filter((each) => !omitted.has(each)) }
}
