import type { IntegrationName } from '../../domain/integrations.ts'
import type { Endpoint } from '../routes/route.ts'
import { coinGeckoEndpoints } from './coingecko.ts'
import { dexScreenerEndpoints } from './dexscreener.ts'

/** The endpoints of each integration, which the configuration switches on. */
export const integrationEndpoints: Readonly<Record<IntegrationName, readonly Endpoint[]>> = {
  dexscreener: dexScreenerEndpoints,
  coingecko: coinGeckoEndpoints,
}
