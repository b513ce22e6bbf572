import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolId, UnixSeconds } from '../domain/units.ts'
import { getJson, malformed } from '../net/get-json.ts'
import { addressOf, amountOf, isRecord, type JsonRecord } from '../net/json.ts'
import type { Outbound } from '../net/outbound.ts'
import type { Screener, ScreenerRow, SourceFault } from '../ports/sources.ts'
import { poolIdOf, readInRequests } from './pool-ids.ts'

/*
 * DexScreener (docs.dexscreener.com/api/reference): GET {url}/latest/dex/pairs/{chain}/{ids}. A v4
 * pool is asked for by its PoolId. 300 requests a minute are allowed; the caller keeps to it.
 */

const reservesOf = ({ baseToken, quoteToken, liquidity }: JsonRecord): ScreenerRow['reserves'] => {
  if (!isRecord(liquidity)) return []
  const sides = [
    [baseToken, liquidity.base],
    [quoteToken, liquidity.quote],
  ] as const
  const reserves = sides.flatMap(([token, value]) => {
    const address = isRecord(token) ? addressOf(token.address) : null
    const amount = amountOf(value)
    return address === null || amount === null ? [] : [{ address, amount }]
  })
  // One side alone says nothing of a pool.
  return reserves.length === sides.length ? reserves : []
}

const readRow = (pair: unknown, chain: string, fetchedTs: UnixSeconds): ScreenerRow | null => {
  if (!isRecord(pair) || pair.chainId !== chain) return null
  const poolId = poolIdOf(pair.pairAddress)
  if (poolId === null) return null
  return {
    poolId,
    reserves: reservesOf(pair),
    liquidityUsd: isRecord(pair.liquidity) ? amountOf(pair.liquidity.usd) : null,
    vol24hUsd: isRecord(pair.volume) ? amountOf(pair.volume.h24) : null,
    fetchedTs,
  }
}

/** `pairs` is null where no pool is known; a pool without trades is simply not there. */
const pairsOf = (json: unknown): readonly unknown[] | null => {
  if (!isRecord(json) || !('pairs' in json)) return null
  if (json.pairs === null) return []
  return Array.isArray(json.pairs) ? json.pairs : null
}

export const createDexScreener = (deps: {
  /** Without a slash at the end. */
  readonly url: string
  /** Their name of the chain: `robinhood`. */
  readonly chain: string
  readonly outbound: Outbound
}): Screener => {
  const { url, chain, outbound } = deps

  const request = async (
    pools: readonly PoolId[],
    now: UnixSeconds,
  ): Promise<Outcome<readonly ScreenerRow[], SourceFault>> => {
    const path = `/latest/dex/pairs/${encodeURIComponent(chain)}/${pools.join(',')}`
    const json = await getJson(outbound, `${url}${path}`)
    if (!json.ok) return json
    const pairs = pairsOf(json.value)
    if (pairs === null) return failure(malformed(url, 'no list of pairs'))
    return success(pairs.map((pair) => readRow(pair, chain, now)).filter((row) => row !== null))
  }

  return {
    id: 'dexscreener',
    read: (pools, now) => readInRequests(pools, (part) => request(part, now)),
  }
}
