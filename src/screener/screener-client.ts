import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolId, UnixSeconds } from '../domain/units.ts'
import { fetchJson, malformedResponse } from '../net/fetch-json.ts'
import { type HttpClient, hostOf } from '../net/http-client.ts'
import { createRequestBudget } from '../net/request-budget.ts'
import type { Screener, ScreenerRow, SourceFault } from '../ports/sources.ts'

const poolIdPattern = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** A pool id of any case, as third parties write it; null for anything else. */
export const readPoolId = (value: unknown): PoolId | null => {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return poolIdPattern.test(text) ? (text as PoolId) : null
}

/** Where a screener of a network file is, and by what it is reached. */
export type ScreenerDeps = {
  /** Without a slash at the end. */
  readonly url: string
  /** Their name of the chain: `robinhood`. */
  readonly chain: string
  readonly httpClient: HttpClient
}

/** In what one service differs from another. */
type Service = Pick<ScreenerDeps, 'url' | 'httpClient'> & {
  readonly id: string
  readonly idsPerRequestMax: number
  readonly requestsPerMinuteMax: number
  readonly pathOf: (pools: readonly PoolId[]) => string
  /** The rows of an answer; null if it has another form than the documented one. */
  readonly rowsOf: (json: unknown) => readonly unknown[] | null
  /** Null for what is no row of a pool of this chain. */
  readonly readRow: (row: unknown) => Omit<ScreenerRow, 'fetchedTs'> | null
}

type Rows = Outcome<readonly ScreenerRow[], SourceFault>

/** Asks for all pools in as few requests as possible, one after the other: all or a fault. */
export const createScreenerClient = (service: Service): Screener => {
  const { id, url, httpClient, idsPerRequestMax, requestsPerMinuteMax } = service
  const budget = createRequestBudget(requestsPerMinuteMax)

  const request = async (pools: readonly PoolId[], now: UnixSeconds): Promise<Rows> => {
    if (budget.spend(1, now) === 0) {
      const detail = `${hostOf(url)}: not asked more than ${requestsPerMinuteMax} times a minute`
      return failure({ kind: 'rate-limited', detail })
    }
    const json = await fetchJson(httpClient, `${url}${service.pathOf(pools)}`)
    if (!json.ok) return json
    const told = service.rowsOf(json.value)
    if (told === null) return failure(malformedResponse(url, 'no list of pools'))
    const rows = told.map(service.readRow).filter((row) => row !== null)
    // Nothing is taken from a third party that was not asked for.
    const asked = rows.filter(({ poolId }) => pools.includes(poolId))
    return success(asked.map((row) => ({ ...row, fetchedTs: now })))
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
