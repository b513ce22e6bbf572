import type { SourceView } from '../../domain/view/service-view.ts'
import type { Logger } from '../../ports/process.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { News } from '../news.ts'
import type { Model } from './model.ts'
import { createNewsDesk, type NewsDesk } from './news-desk.ts'
import type { ValuedMarket } from './valued-market.ts'

type Listener = (news: readonly News[]) => void

/** Whoever wants the news. While nobody does, none is gathered. */
export type Watchers = {
  readonly watch: (listener: Listener) => () => void
  readonly read: (snapshot: StoreSnapshot, model: Model) => Promise<void>
  readonly tell: (market: ValuedMarket, sources: () => readonly SourceView[]) => void
}

export const createWatchers = (logger: Logger): Watchers => {
  const listeners = new Set<Listener>()
  let desk: NewsDesk | null = null

  return {
    watch: (listener) => {
      listeners.add(listener)
      desk ??= createNewsDesk()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) desk = null
      }
    },
    read: async (snapshot, model) => desk?.read(snapshot, model),
    tell: (market, sources) => {
      const news = desk?.compare(market, sources()) ?? []
      if (news.length === 0) return
      for (const listener of listeners) {
        try {
          listener(news)
        } catch (error) {
          logger.error('news could not be told', { error })
        }
      }
    },
  }
}
