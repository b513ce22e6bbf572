import { useEffect, useRef } from 'preact/hooks'
import type { StreamEvent } from '../../src/client/types.ts'
import { useStream } from './use-stream.ts'

type Listener = (event: StreamEvent) => void

/** The events of one pool, which the parts of its page share: one subscription for all. */
export type PoolNews = { readonly listen: (listener: Listener) => () => void }

const createNews = () => {
  const listeners = new Set<Listener>()
  return {
    listen: (listener: Listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    report: (event: StreamEvent) => {
      for (const listener of listeners) listener(event)
    },
  }
}

export const usePoolNews = (id: string): PoolNews => {
  const news = useRef<ReturnType<typeof createNews> | null>(null)
  news.current ??= createNews()
  useStream({ topics: ['pool', 'swap'], id }, news.current.report)
  return news.current
}

/** Hears the events of a pool until the component unmounts. */
export const useNews = (news: PoolNews, onEvent: Listener): void => {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => news.listen((event) => latest.current(event)), [news])
}
