import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Pool, PoolDetail, StockDetail, StreamEvent } from '../../src/client/types.ts'
import type { Range } from '../chart/ranges.tsx'
import { poolChartOf } from '../chart/series.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useStream } from '../live/use-stream.ts'

type Swap = PoolDetail['swaps'][number]

/** The chart's open bucket and what the stream does not tell. */
const refreshSeconds = 15
const swapsMax = 100

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

/** A pool with its series and swaps, kept up by the stream. */
export const usePool = (id: string, range: Range) => {
  const [heard, setHeard] = useState<readonly Swap[]>([])
  const [told, setTold] = useState<Pool | null>(null)
  const ask = (signal: AbortSignal) => readDetail(id, range, signal)
  const answer = useAnswer({ key: `${id} ${range}`, ask, everySeconds: refreshSeconds })
  const { value, error, again } = answer
  useEffect(() => setHeard([]), [value])
  const hear = (event: StreamEvent) => {
    if (event.topic === 'swap') setHeard((known) => mergeSwaps([event.data], known))
    if (event.topic === 'pool') setTold(event.data)
    if (event.topic === 'rollback' || event.topic === 'resync') again()
  }
  useStream({ topics: ['pool', 'swap'], id }, hear)
  const chart = useMemo(
    () => (value === null ? null : poolChartOf(value.detail, value.stock)),
    [value],
  )
  if (value === null || chart === null) return { error, shown: null }
  const { pool: asked, swaps } = value.detail
  const isNewer = told !== null && (told.asOfBlock ?? 0) > (asked.asOfBlock ?? 0)
  const shown = {
    pool: isNewer ? told : asked,
    stock: value.stock?.stock ?? null,
    swaps: mergeSwaps(heard, swaps),
    chart,
    waiting: answer.key !== `${id} ${range}`,
  }
  return { error, shown }
}
