import { useEffect } from 'preact/hooks'
import type { Page, Pool } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { nowTs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { filterOf, type PoolQuery, pageRows } from './pool-query.ts'

/** A page of the table and its query. */
export type Listing = { readonly query: PoolQuery; readonly page: Page<Pool> }
type CachedListing = Listing & { readonly ts: number }

/** Cache of recent pages and the likely next one. */
const cache = new Map<string, CachedListing>()
const cacheMax = 24
/** A page this young is not prefetched again and counts as current. */
const freshSeconds = 15
const refreshSeconds = 8

const keyOf = (query: PoolQuery): string => JSON.stringify([filterOf(query), query.page])

const isFresh = (listing: CachedListing | undefined): boolean =>
  listing !== undefined && nowTs() - listing.ts < freshSeconds

const store = (listing: Listing): void => {
  const key = keyOf(listing.query)
  cache.delete(key)
  cache.set(key, { ...listing, ts: nowTs() })
  const [oldest] = cache.keys()
  if (cache.size > cacheMax && oldest !== undefined) cache.delete(oldest)
}

const read = async (query: PoolQuery, signal: AbortSignal): Promise<Listing> => {
  const paging = { limit: pageRows, offset: (query.page - 1) * pageRows }
  const page = await api.pools({ ...filterOf(query), ...paging }, { signal })
  const listing = { query, page }
  store(listing)
  return listing
}

/** One page of the table; prefetches the next one. */
export const usePools = (query: PoolQuery) => {
  const key = keyOf(query)
  const ask = (signal: AbortSignal) => read(query, signal)
  const known = cache.get(key)
  const answer = useAnswer({ key, ask, everySeconds: refreshSeconds, known })
  const waiting = answer.waiting && !isFresh(known)
  const hasNext = !waiting && query.page * pageRows < (answer.value?.page.total ?? 0)

  useEffect(() => {
    const next = { ...query, page: query.page + 1 }
    if (!hasNext || isFresh(cache.get(keyOf(next)))) return
    const stop = new AbortController()
    // A failed prefetch is loaded on demand.
    read(next, stop.signal).catch(() => {})
    return () => stop.abort()
  }, [key, hasNext])

  /** Clears the cache and reloads, for example after a rollback. */
  const again = () => {
    cache.clear()
    answer.again()
  }
  return { ...answer, waiting, again }
}
