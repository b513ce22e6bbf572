import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isApiError } from '../../src/client/api-error.ts'
import type { Candle, HistoryPage, Pool, StreamEvent } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { type PoolNews, useNews } from '../live/pool-news.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useFurther } from '../live/use-further.ts'
import {
  type CandleList,
  type CandleUnit,
  type CandleWidth,
  candlesMax,
  inverted,
  listOf,
  withNewer,
  withOlder,
  withSwaps,
} from './candle-list.ts'
import type { Swap } from './live-series.ts'

/** The stream delivers swaps; polling refreshes what follows the references. */
const refreshSeconds = 15
const pageCandles = 300
const pageCandlesMax = 1000
/** Maximum swaps since the last response; more arrive only while the page is hidden. */
const swapsMax = 500

type Question = {
  readonly pool: Pool
  readonly width: CandleWidth
  readonly unit: CandleUnit
  readonly news: PoolNews
}

/** True for what was deleted by retention. */
export const isPruned = (error: unknown): boolean =>
  isApiError(error) && error.code === 'history_pruned'

/** Why no older candles can be loaded; null if they can. */
const endOf = ({ candles, next, end }: CandleList): CandleList['end'] | 'too-many' | null => {
  if (next === null) return end
  return candles.length >= candlesMax ? 'too-many' : null
}

/** Swaps of the stream since the last response; `onReplaced` hears that older ones may be gone. */
const useLaterSwaps = (news: PoolNews, asOfBlock: number | null, onReplaced: () => void) => {
  const [swaps, setSwaps] = useState<readonly Swap[]>([])
  useNews(news, (event: StreamEvent) => {
    if (event.topic === 'swap') {
      const { txHash, logIndex } = event.data
      const isSame = (swap: Swap) => swap.txHash === txHash && swap.logIndex === logIndex
      setSwaps((known) => (known.some(isSame) ? known : [...known, event.data].slice(-swapsMax)))
    }
    if (event.topic === 'rollback') {
      const { afterBlock } = event.data
      setSwaps((known) => known.filter(({ block }) => block <= (afterBlock ?? -1)))
    }
    if (event.topic === 'resync') setSwaps([])
    if (event.topic === 'rollback' || event.topic === 'resync') onReplaced()
  })
  useEffect(() => {
    if (asOfBlock === null) return
    setSwaps((known) => known.filter(({ block }) => block > asOfBlock))
  }, [asOfBlock])
  return swaps
}

type Answered = {
  readonly key: string
  readonly page: HistoryPage<Candle>
  /** Of the first candle that was asked for; null for the newest page. */
  readonly sinceTs: number | null
}
type Held = Pick<Question, 'width' | 'unit'> & { readonly key: string; readonly list: CandleList }

/**
 * Candles of a pool, oldest first, as far back as they were asked for, updated by the stream. Those
 * of the width before are shown until the first of the new one arrive.
 */
export const useCandles = ({ pool, width, unit, news }: Question) => {
  const key = `${pool.id} ${width} ${unit}`
  const filter = { width, price: unit === 'usd' ? 'usd' : 'other' } as const
  const [held, setHeld] = useState<Held | null>(null)
  const latest = useRef(held)
  latest.current = held
  const isReplaced = useRef(false)

  const ask = async (signal: AbortSignal): Promise<Answered> => {
    const candles = latest.current?.key === key ? latest.current.list.candles : []
    // The last one may still have been open.
    const sinceTs = isReplaced.current ? null : (candles.at(-2)?.ts ?? null)
    const enough = Math.min(pageCandlesMax, Math.max(pageCandles, candles.length))
    const part = sinceTs === null ? { limit: enough } : { limit: pageCandlesMax, from: sinceTs }
    const page = await api.candles(pool.id, { ...filter, ...part }, { signal })
    if (!signal.aborted) isReplaced.current = false
    return { key, page, sinceTs }
  }
  const answer = useAnswer({ key, ask, everySeconds: refreshSeconds })

  const older = useFurther<string>(key, async (cursor, signal) => {
    const asked = { ...filter, limit: pageCandles, cursor }
    const page = await api.candles(pool.id, asked, { signal }).catch((error: unknown) => {
      if (!isPruned(error)) throw error
      return { items: [], next: null, asOfBlock: null, complete: false }
    })
    setHeld((known) =>
      known?.key === key && known.list.next === cursor
        ? { ...known, list: withOlder(known.list, page) }
        : known,
    )
  })

  // A layout effect, so that no frame is without the new candles.
  useLayoutEffect(() => {
    const { value } = answer
    if (value === null || value.key !== key) return
    const { page, sinceTs } = value
    if (sinceTs === null) older.stop()
    setHeld((known) => {
      const isSame = known?.key === key && sinceTs !== null
      const list = isSame ? withNewer(known.list, page, sinceTs) : listOf(page)
      return { key, width, unit, list }
    })
  }, [answer.value])

  const swaps = useLaterSwaps(news, held?.list.asOfBlock ?? null, () => {
    isReplaced.current = true
    answer.again()
  })
  const candles = useMemo(() => {
    if (held === null) return []
    const current = withSwaps(held.list, swaps, { ...held, pool })
    return held.unit === 'usd' ? current : inverted(current)
  }, [held, swaps])
  const waiting = held?.key !== key
  const end = held === null ? null : endOf(held.list)
  return {
    /** The last that were received; null until the first response. */
    shown: held === null ? null : { candles, end, width: held.width, unit: held.unit },
    /** True while what is shown is of another width. */
    waiting,
    error: waiting ? answer.error : null,
    older: older.state,
    /** Does nothing at the end, and while a page is loading. */
    loadOlder: () => {
      if (held !== null && held.list.next !== null && end === null && !waiting) {
        older.load(held.list.next)
      }
    },
  }
}
