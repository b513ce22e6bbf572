import { isRecord, readAmount } from '../net/json.ts'
import type { Screener } from '../ports/sources.ts'
import { createScreenerClient, readPoolId, type ScreenerDeps } from './screener-client.ts'

/*
 * GeckoTerminal (apiguide.geckoterminal.com): GET {url}/networks/{network}/pools/multi/{ids}, with
 * {url} up to `/api/v2`. It reports the value of a pool, not its token reserves.
 */

/** The page size: a request of at most twenty IDs has a single page. */
const idsPerRequestMax = 20
const requestsPerMinuteMax = 30

export const createGeckoTerminal = ({ url, chain, httpClient }: ScreenerDeps): Screener => {
  /** Row IDs consist of network and pool: `robinhood_0x…`. */
  const prefix = `${chain}_`

  return createScreenerClient({
    id: 'geckoterminal',
    url,
    httpClient,
    idsPerRequestMax,
    requestsPerMinuteMax,
    pathOf: (pools) => `/networks/${encodeURIComponent(chain)}/pools/multi/${pools.join(',')}`,
    rowsOf: (json) => (isRecord(json) && Array.isArray(json.data) ? json.data : null),
    readRow: (item) => {
      if (!isRecord(item) || !isRecord(item.attributes) || typeof item.id !== 'string') return null
      const poolId = item.id.startsWith(prefix) ? readPoolId(item.id.slice(prefix.length)) : null
      if (poolId === null) return null
      const { reserve_in_usd: liquidity, volume_usd: volume } = item.attributes
      return {
        poolId,
        reserves: [],
        liquidityUsd: readAmount(liquidity),
        vol24hUsd: isRecord(volume) ? readAmount(volume.h24) : null,
      }
    },
  })
}
