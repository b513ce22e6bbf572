import { useEffect } from 'preact/hooks'
import type { Page, Pool } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { nowTs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { filterOf, type PoolQuery, pageRows } from './pool-query.ts'

type Kept = { readonly page: Page<Pool>; readonly ts: number }

/** Pages that were seen or are likely to be seen next. */
const kept = new Map<string, Kept>()
const keptMax = 24
/** A page this young is not fetched ahead again. */
const freshSeconds = 15
const refreshSeconds = 8

const keyOf = (query: PoolQuery): string => JSON.stringify([filterOf(query), query.page])

const keep = (key: string, page: Page<Pool>): void => {
  kept.delete(key)
  kept.set(key, { page, ts: nowTs() })
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
}

const read = async (query: PoolQuery, signal: AbortSignal): Promise<Page<Pool>> => {
  const paging = { limit: pageRows, offset: (query.page - 1) * pageRows }
  const page = await api.pools({ ...filterOf(query), ...paging }, { signal })
  keep(keyOf(query), page)
  return page
}

/** One page of the table; the next one is fetched while it is looked at. */
export const usePools = (query: PoolQuery) => {
  const key = keyOf(query)
  const ask = (signal: AbortSignal) => read(query, signal)
  const known = kept.get(key)?.page
  const answer = useAnswer({ key, ask, everySeconds: refreshSeconds, known })
  const { value } = answer
  const isCurrent = answer.key === key
  const total = value?.total ?? 0
  const hasNext = isCurrent && query.page * pageRows < total

  useEffect(() => {
    const next = { ...query, page: query.page + 1 }
    const young = nowTs() - (kept.get(keyOf(next))?.ts ?? 0) < freshSeconds
    if (!hasNext || young) return
    const stop = new AbortController()
    // It is only a favour: what fails is asked when it is wanted.
    read(next, stop.signal).catch(() => {})
    return () => stop.abort()
  }, [key, hasNext])

  return { ...answer, isCurrent }
}
