import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PoolDetail, StockDetail, StreamEvent } from '../../src/client/types.ts'
import { applyEvents, blockOf, type PoolEvent } from '../chart/live-series.ts'
import type { Range } from '../chart/ranges.tsx'
import { poolChartOf } from '../chart/series.ts'
import { api } from '../live/api.ts'
import { type PoolNews, useNews } from '../live/pool-news.ts'
import { useAnswer } from '../live/use-answer.ts'
import { swapKey } from './swap-list.ts'

/** The stream delivers events; polling refreshes references, windows and liquidity. */
const refreshSeconds = 15
/** Maximum buffered events; more arrive only while the page is hidden. */
const eventsMax = 500

type Detail = { readonly detail: PoolDetail; readonly stock: StockDetail | null }

const readDetail = async (id: string, range: Range, signal: AbortSignal): Promise<Detail> => {
  const detail = await api.pool(id, { range }, { signal })
  const { kind, stockAddress } = detail.pool
  if (kind === 'meme') return { detail, stock: null }
  // The pool is shown without its reference if that fails.
  const stock = await api.stock(stockAddress, { range }, { signal }).catch(() => null)
  return { detail, stock }
}

/** The response updated by later events. */
const applyToDetail = ({ detail, stock }: Detail, events: readonly PoolEvent[]) => {
  const asOf = detail.pool.asOfBlock ?? -1
  const later = events.filter((event) => blockOf(event) > asOf)
  const latest = later.findLast((event) => event.topic === 'pool')?.data
  const series = applyEvents(detail, later)
  return {
    pool: latest ?? detail.pool,
    stock: stock?.stock ?? null,
    hookReview: detail.hookReview,
    chart: poolChartOf({ ...detail, series }, stock),
  }
}

/** Stream events of the pool without duplicates; `dropUpTo` drops those a response contains. */
const usePoolEvents = (news: PoolNews, onBreak: () => void) => {
  const [events, setEvents] = useState<readonly PoolEvent[]>([])
  const add = (event: PoolEvent) =>
    setEvents((known) => {
      const isSame = (other: PoolEvent) =>
        event.topic === 'swap' &&
        other.topic === 'swap' &&
        swapKey(other.data) === swapKey(event.data)
      return known.some(isSame) ? known : [...known, event].slice(-eventsMax)
    })
  const onEvent = (event: StreamEvent) => {
    if (event.topic === 'swap' || event.topic === 'pool') add(event)
    if (event.topic === 'rollback') {
      const { afterBlock } = event.data
      setEvents((known) => known.filter((each) => blockOf(each) <= (afterBlock ?? -1)))
    }
    // Earlier events may be of a replaced branch.
    if (event.topic === 'resync') setEvents([])
    if (event.topic === 'rollback' || event.topic === 'resync') onBreak()
  }
  useNews(news, onEvent)
  const dropUpTo = (block: number) =>
    setEvents((known) => known.filter((each) => blockOf(each) > block))
  return { events, dropUpTo }
}

/** A pool with its series, updated by the stream. */
export const usePool = (id: string, range: Range, news: PoolNews) => {
  const key = `${id} ${range}`
  const ask = (signal: AbortSignal) => readDetail(id, range, signal)
  const { value, error, waiting, again } = useAnswer({
    key,
    ask,
    everySeconds: refreshSeconds,
  })
  const { events, dropUpTo } = usePoolEvents(news, again)
  useEffect(() => {
    if (value !== null) dropUpTo(value.detail.pool.asOfBlock ?? -1)
  }, [value])
  const current = useMemo(
    () => (value === null ? null : applyToDetail(value, events)),
    [value, events],
  )
  if (current === null) return { error, shown: null }
  return { error, shown: { ...current, waiting } }
}
