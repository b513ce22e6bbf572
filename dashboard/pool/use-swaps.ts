import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isApiError } from '../../src/client/api-error.ts'
import type { HistoryPage } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { type PoolNews, useNews } from '../live/pool-news.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useFurther } from '../live/use-further.ts'
import {
  type Continuation,
  listOf,
  type Swap,
  type SwapFilter,
  type SwapList,
  withLive,
  withNewer,
  withOlder,
  withoutAbove,
} from './swap-list.ts'

/** The stream delivers swaps; polling finds those of before it was open. */
const refreshSeconds = 15
const pageRows = 100
const pageRowsMax = 1000
/** Latest swaps of the stream, for responses that were read before them. */
const recentMax = 500

/** Latest swaps that are marked as new. */
const arrivedMax = 20

type Page = HistoryPage<Swap>
type Held = { readonly key: string; readonly list: SwapList }
type Answered = { readonly key: string; readonly kind: 'first' | 'newer'; readonly page: Page }

const codeOf = (error: unknown): string | null => (isApiError(error) ? error.code : null)

const notKept: Page = { items: [], next: null, asOfBlock: null, complete: false }

/** What was deleted by retention is the end of the list. */
const orNotKept = (error: unknown): Page => {
  if (codeOf(error) === 'history_pruned') return notKept
  throw error
}

type Question = {
  readonly id: string
  readonly filter: SwapFilter
  readonly news: PoolNews
  /** Whether the reader sees the newest rows. */
  readonly isAtTop: () => boolean
}

/** Swaps of a pool around the reader's place, newest first, updated by the stream. */
export const useSwaps = ({ id, filter, news, isAtTop }: Question) => {
  const key = JSON.stringify([id, filter])
  const [held, setHeld] = useState<Held | null>(null)
  const latest = useRef(held)
  latest.current = held
  const recent = useRef<readonly Swap[]>([])
  const isReplaced = useRef(false)
  const asked = {
    ...(filter.side === null ? {} : { side: filter.side }),
    ...(filter.minUsd === null ? {} : { minUsd: filter.minUsd }),
  }
  const current = () =>
    latest.current?.key === key && !isReplaced.current ? latest.current.list : null
  const change = (act: (list: SwapList) => SwapList) =>
    setHeld((known) => (known?.key === key ? { key, list: act(known.list) } : known))

  const ask = async (signal: AbortSignal): Promise<Answered | null> => {
    const list = current()
    const [newest] = list?.rows ?? []
    if (list === null || newest === undefined) {
      const page = await api.swaps(id, { ...asked, limit: pageRows }, { signal }).catch(orNotKept)
      if (!signal.aborted) isReplaced.current = false
      return { key, kind: 'first', page }
    }
    if (list.newer !== null) return null
    const since = { order: 'asc', from: newest.ts, limit: pageRowsMax } as const
    return { key, kind: 'newer', page: await api.swaps(id, { ...asked, ...since }, { signal }) }
  }
  const answer = useAnswer({ key, ask, everySeconds: refreshSeconds })
  // A layout effect, so that no frame is without the new rows.
  useLayoutEffect(() => {
    const { value } = answer
    if (value === null || value.key !== key) return
    const { kind, page } = value
    const live = { filter, isAtTop: isAtTop() }
    if (kind === 'first') {
      const later = recent.current.filter(({ block }) => block > (page.asOfBlock ?? -1))
      setHeld({ key, list: withLive(listOf(page), later, live) })
      return
    }
    change((list) => {
      // More than one page has been missed: the rest is asked for when the reader goes there.
      if (page.next !== null) return { ...list, newer: { ts: list.rows[0]?.ts ?? 0 } }
      return withLive(list, page.items, live)
    })
  }, [answer.value])

  const older = useFurther<Continuation>(key, async (at, signal) => {
    const read = (place: object) =>
      api.swaps(id, { ...asked, ...place, limit: pageRows }, { signal })
    const page = await read('cursor' in at ? at : { to: at.ts })
      .catch((error: unknown) => {
        const last = current()?.rows.at(-1)
        if (codeOf(error) !== 'cursor_replaced' || last === undefined) throw error
        return read({ to: last.ts })
      })
      .catch(orNotKept)
    change((list) => (list.older === at ? withOlder(list, page) : list))
  })
  const newer = useFurther<Continuation>(key, async (at, signal) => {
    const place = 'cursor' in at ? at : { from: at.ts }
    const filters = { ...asked, order: 'asc', limit: pageRows } as const
    const page = await api.swaps(id, { ...filters, ...place }, { signal })
    change((list) => (list.newer === at ? withNewer(list, page) : list))
  })

  /** Begins again at the newest swap. */
  const restart = () => {
    older.stop()
    newer.stop()
    isReplaced.current = true
    answer.again()
  }
  useNews(news, (event) => {
    if (event.topic === 'swap') {
      const swap = event.data
      recent.current = [...recent.current, swap].slice(-recentMax)
      change((list) => withLive(list, [swap], { filter, isAtTop: isAtTop() }))
    }
    if (event.topic === 'rollback') {
      const { afterBlock } = event.data
      recent.current = recent.current.filter(({ block }) => block <= (afterBlock ?? -1))
      older.stop()
      newer.stop()
      change((list) => withoutAbove(list, afterBlock))
      // What was asked for before may still have the replaced rows.
      answer.again()
    }
    if (event.topic === 'resync') {
      recent.current = []
      restart()
    }
  })
  const waiting = held?.key !== key
  const list = held?.list ?? null
  return {
    /** Null until the first response. */
    list,
    /** True while the rows are those of the filter before. */
    waiting,
    error: waiting ? answer.error : null,
    older: older.state,
    newer: newer.state,
    loadOlder: () => {
      if (!waiting && list !== null && list.older !== null) older.load(list.older)
    },
    loadNewer: () => {
      if (!waiting && list !== null && list.newer !== null) newer.load(list.newer)
    },
    restart,
    /** Whether the swap came by the stream a moment ago. */
    hasArrived: (swap: Swap): boolean => recent.current.slice(-arrivedMax).includes(swap),
  }
}
