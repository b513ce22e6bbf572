import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolId, UnixSeconds } from '../domain/units.ts'
import { getJson, malformed } from '../net/get-json.ts'
import { amountOf, isRecord } from '../net/json.ts'
import type { Outbound } from '../net/outbound.ts'
import type { Screener, ScreenerRow, SourceFault } from '../ports/sources.ts'
import { poolIdOf, readInRequests } from './pool-ids.ts'

/*
 * GeckoTerminal (apiguide.geckoterminal.com): GET {url}/networks/{network}/pools/multi/{ids}, with
 * {url} up to `/api/v2`. 30 requests a minute are allowed; the caller keeps to it. It tells what a
 * pool is worth, not how many tokens it holds.
 */

const readRow = (item: unknown, fetchedTs: UnixSeconds): ScreenerRow | null => {
  const attributes = isRecord(item) ? item.attributes : null
  if (!isRecord(attributes)) return null
  const poolId = poolIdOf(attributes.address)
  if (poolId === null) return null
  const { reserve_in_usd: liquidity, volume_usd: volume } = attributes
  return {
    poolId,
    reserves: [],
    liquidityUsd: amountOf(liquidity),
    vol24hUsd: isRecord(volume) ? amountOf(volume.h24) : null,
    fetchedTs,
  }
}

export const createGeckoTerminal = (deps: {
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
    const path = `/networks/${encodeURIComponent(chain)}/pools/multi/${pools.join(',')}`
    const json = await getJson(outbound, `${url}${path}`)
    if (!json.ok) return json
    const items = isRecord(json.value) ? json.value.data : null
    if (!Array.isArray(items)) return failure(malformed(url, 'no list of pools'))
    return success(items.map((item) => readRow(item, now)).filter((row) => row !== null))
  }

  return {
    id: 'geckoterminal',
    read: (pools, now) => readInRequests(pools, (part) => request(part, now)),
  }
}
