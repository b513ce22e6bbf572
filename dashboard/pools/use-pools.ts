import { useEffect } from 'preact/hooks'
import type { Page, Pool } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { nowTs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { filterOf, type PoolQuery, pageRows } from './pool-query.ts'

/** A page of the table, and what was asked for. */
export type Listing = { readonly query: PoolQuery; readonly page: Page<Pool> }
type Kept = Listing & { readonly ts: number }

/** Pages that were seen or are likely to be seen next. */
const kept = new Map<string, Kept>()
const keptMax = 24
/** A page this young is not fetched ahead again, and is shown as an answer of now. */
const freshSeconds = 15
const refreshSeconds = 8

const keyOf = (query: PoolQuery): string => JSON.stringify([filterOf(query), query.page])

const isYoung = (listing: Kept | undefined): boolean =>
  listing !== undefined && nowTs() - listing.ts < freshSeconds

const keep = (listing: Listing): void => {
  const key = keyOf(listing.query)
  kept.delete(key)
  kept.set(key, { ...listing, ts: nowTs() })
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
}

const read = async (query: PoolQuery, signal: AbortSignal): Promise<Listing> => {
  const paging = { limit: pageRows, offset: (query.page - 1) * pageRows }
  const page = await api.pools({ ...filterOf(query), ...paging }, { signal })
  const listing = { query, page }
  keep(listing)
  return listing
}

/** One page of the table; the next one is fetched while it is looked at. */
export const usePools = (query: PoolQuery) => {
  const key = keyOf(query)
  const ask = (signal: AbortSignal) => read(query, signal)
  const known = kept.get(key)
  const answer = useAnswer({ key, ask, everySeconds: refreshSeconds, known })
  const waiting = answer.waiting && !isYoung(known)
  const hasNext = !waiting && query.page * pageRows < (answer.value?.page.total ?? 0)

  useEffect(() => {
    const next = { ...query, page: query.page + 1 }
    if (!hasNext || isYoung(kept.get(keyOf(next)))) return
    const stop = new AbortController()
    // It is only a favour: what fails is asked when it is wanted.
    read(next, stop.signal).catch(() => {})
    return () => stop.abort()
  }, [key, hasNext])

  /** Asks anew, for every page: what was kept may no longer hold. */
  const again = () => {
    kept.clear()
    answer.again()
  }
  return { ...answer, waiting, again }
}
