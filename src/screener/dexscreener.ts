import { isRecord, type JsonRecord, readAddress, readAmount } from '../net/json.ts'
import type { Screener, ScreenerRow } from '../ports/sources.ts'
import { createScreenerClient, readPoolId, type ScreenerDeps } from './screener-client.ts'

/*
 * DexScreener (docs.dexscreener.com/api/reference): GET {url}/latest/dex/pairs/{chain}/{ids}. A v4
 * pool is identified by its PoolId. IDs beyond the thirtieth are ignored silently.
 */

const idsPerRequestMax = 30
const requestsPerMinuteMax = 300

const reservesOf = ({ baseToken, quoteToken, liquidity }: JsonRecord): ScreenerRow['reserves'] => {
  if (!isRecord(liquidity)) return []
  const sides = [
    [baseToken, liquidity.base],
    [quoteToken, liquidity.quote],
  ] as const
  const reserves = sides.flatMap(([token, value]) => {
    const address = isRecord(token) ? readAddress(token.address) : null
    const amount = readAmount(value)
    return address === null || amount === null ? [] : [{ address, amount }]
  })
  // One side alone does not describe a pool.
  return reserves.length === sides.length ? reserves : []
}

/** `pairs` is null if no pool is known; pools without trades are absent. */
const pairsOf = (json: unknown): readonly unknown[] | null => {
  if (!isRecord(json) || !('pairs' in json)) return null
  if (json.pairs === null) return []
  return Array.isArray(json.pairs) ? json.pairs : null
}

export const createDexScreener = ({ url, chain, httpClient }: ScreenerDeps): Screener =>
  createScreenerClient({
    id: 'dexscreener',
    url,
    httpClient,
    idsPerRequestMax,
    requestsPerMinuteMax,
    pathOf: (pools) => `/latest/dex/pairs/${encodeURIComponent(chain)}/${pools.join(',')}`,
    rowsOf: pairsOf,
    readRow: (pair) => {
      if (!isRecord(pair) || pair.chainId !== chain) return null
      const poolId = readPoolId(pair.pairAddress)
      if (poolId === null) return null
      return {
        poolId,
        reserves: reservesOf(pair),
        liquidityUsd: isRecord(pair.liquidity) ? readAmount(pair.liquidity.usd) : null,
        vol24hUsd: isRecord(pair.volume) ? readAmount(pair.volume.h24) : null,
      }
    },
  })
