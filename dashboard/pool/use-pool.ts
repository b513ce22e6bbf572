import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PoolDetail, StockDetail, StreamEvent } from '../../src/client/types.ts'
import { blockOf, type PoolEvent, withNews } from '../chart/live-series.ts'
import type { Range } from '../chart/ranges.tsx'
import { poolChartOf } from '../chart/series.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useStream } from '../live/use-stream.ts'

type Swap = PoolDetail['swaps'][number]

/** The stream tells what happens; this, what merely ages: references, windows, liquidity. */
const refreshSeconds = 15
const swapsMax = 100
/** More is told between two answers only while nobody looks, and then nothing is asked either. */
const newsMax = 500

type Detail = { readonly detail: PoolDetail; readonly stock: StockDetail | null }

const readDetail = async (id: string, range: Range, signal: AbortSignal): Promise<Detail> => {
  const detail = await api.pool(id, { range }, { signal })
  const { kind, stockAddress } = detail.pool
  if (kind === 'meme') return { detail, stock: null }
  // Without the reference the pool is still worth looking at.
  const stock = await api.stock(stockAddress, { range }, { signal }).catch(() => null)
  return { detail, stock }
}

const nameOf = ({ txHash, logIndex }: Swap): string => `${txHash} ${logIndex}`

/** The first of each name: what is told twice happened once. */
const mergeSwaps = (heard: readonly Swap[], asked: readonly Swap[]): readonly Swap[] => {
  const byName = new Map<string, Swap>()
  for (const swap of [...heard, ...asked]) {
    if (!byName.has(nameOf(swap))) byName.set(nameOf(swap), swap)
  }
  return [...byName.values()].slice(0, swapsMax)
}

const swapsOf = (news: readonly PoolEvent[]): readonly Swap[] =>
  news.flatMap((event) => (event.topic === 'swap' ? [event.data] : [])).reverse()

/** The answer as it stands after the news; each part is the answer's own if there are none. */
const broughtUp = ({ detail, stock }: Detail, news: readonly PoolEvent[]) => {
  const asOf = detail.pool.asOfBlock ?? -1
  const later = news.filter((event) => blockOf(event) > asOf)
  const record = later.findLast((event) => event.topic === 'pool')?.data
  const series = withNews(detail, later)
  return {
    pool: record ?? detail.pool,
    stock: stock?.stock ?? null,
    swaps: mergeSwaps(swapsOf(later), detail.swaps),
    chart: poolChartOf({ ...detail, series }, stock),
  }
}

/** What the stream tells of the pool, each once; `since` forgets what an answer contains. */
const usePoolNews = (id: string, onBreak: () => void) => {
  const [news, setNews] = useState<readonly PoolEvent[]>([])
  const add = (event: PoolEvent) =>
    setNews((known) => {
      const isKnown =
        event.topic === 'swap' && swapsOf(known).some((swap) => nameOf(swap) === nameOf(event.data))
      return isKnown ? known : [...known, event].slice(-newsMax)
    })
  const hear = (event: StreamEvent) => {
    if (event.topic === 'swap' || event.topic === 'pool') add(event)
    if (event.topic === 'rollback') {
      const { afterBlock } = event.data
      setNews((known) => known.filter((each) => blockOf(each) <= (afterBlock ?? -1)))
    }
    // What was told before may be of a branch that is gone, and nobody will say so.
    if (event.topic === 'resync') setNews([])
    if (event.topic === 'rollback' || event.topic === 'resync') onBreak()
  }
  useStream({ topics: ['pool', 'swap'], id }, hear)
  const since = (block: number) => setNews((known) => known.filter((each) => blockOf(each) > block))
  return { news, since }
}

/** A pool with its series and swaps, kept up by the stream. */
export const usePool = (id: string, range: Range) => {
  const key = `${id} ${range}`
  const ask = (signal: AbortSignal) => readDetail(id, range, signal)
  const { value, error, waiting, again } = useAnswer({
    key,
    ask,
    everySeconds: refreshSeconds,
  })
  const { news, since } = usePoolNews(id, again)
  useEffect(() => {
    if (value !== null) since(value.detail.pool.asOfBlock ?? -1)
  }, [value])
  const current = useMemo(() => (value === null ? null : broughtUp(value, news)), [value, news])
  if (current === null) return { error, shown: null }
  return { error, shown: { ...current, waiting } }
}
