import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolId, UnixSeconds } from '../domain/units.ts'
import { fetchJson, malformedResponse } from '../net/fetch-json.ts'
import { type HttpClient, hostOf } from '../net/http-client.ts'
import { createRequestBudget } from '../net/request-budget.ts'
import type { Screener, ScreenerRow, SourceFault } from '../ports/sources.ts'

const poolIdPattern = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** A pool ID in lowercase; third parties use any case. */
export const readPoolId = (value: unknown): PoolId | null => {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return poolIdPattern.test(text) ? (text as PoolId) : null
}

export type ScreenerDeps = {
  /** Without a trailing slash. */
  readonly url: string
  /** The screener's name of the chain, such as `robinhood`. */
  readonly chain: string
  readonly httpClient: HttpClient
}

type Service = Pick<ScreenerDeps, 'url' | 'httpClient'> & {
  readonly id: string
  readonly idsPerRequestMax: number
  readonly requestsPerMinuteMax: number
  readonly pathOf: (pools: readonly PoolId[]) => string
  /** Rows of a response; null if it does not have the documented form. */
  readonly rowsOf: (json: unknown) => readonly unknown[] | null
  /** Null for a row that is not a pool of this chain. */
  readonly readRow: (row: unknown) => Omit<ScreenerRow, 'fetchedTs'> | null
}

type Rows = Outcome<readonly ScreenerRow[], SourceFault>

/** Reads all pools in as few sequential requests as possible; returns all rows or a fault. */
export const createScreenerClient = (service: Service): Screener => {
  const { id, url, httpClient, idsPerRequestMax, requestsPerMinuteMax } = service
  const budget = createRequestBudget(requestsPerMinuteMax)

  const request = async (pools: readonly PoolId[], now: UnixSeconds): Promise<Rows> => {
    if (budget.spend(1, now) === 0) {
      const detail = `${hostOf(url)}: budget of ${requestsPerMinuteMax} requests per minute used`
      return failure({ kind: 'rate-limited', detail })
    }
    const json = await fetchJson(httpClient, `${url}${service.pathOf(pools)}`)
    if (!json.ok) return json
    const all = service.rowsOf(json.value)
    if (all === null) return failure(malformedResponse(url, 'response without a list of pools'))
    const rows = all.map(service.readRow).filter((row) => row !== null)
    // Rows of pools that were not requested are ignored.
    const requested = rows.filter(({ poolId }) => pools.includes(poolId))
    return success(requested.map((row) => ({ ...row, fetchedTs: now })))
  }

  return {
    id,
    read: async (pools, now) => {
      const rows: ScreenerRow[] = []
      for (let start = 0; start < pools.length; start += idsPerRequestMax) {
        const read = await request(pools.slice(start, start + idsPerRequestMax), now)
        if (!read.ok) return read
        rows.push(...read.value)
      }
      return success(rows)
    },
  }
}
