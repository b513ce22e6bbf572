import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Health, Page, Status, Stock } from '../../src/client/types.ts'
import { api } from './api.ts'
import { setServiceTime } from './clock.ts'
import { peekFirstAnswer } from './first-answers.ts'
import { type Answer, useAnswer } from './use-answer.ts'

const statusSeconds = 4
const healthSeconds = 8
const stocksSeconds = 12
/** The largest stocks suffice for the overview. */
const stocksMax = 50

export type Service = {
  readonly status: Answer<Status>
  readonly health: Answer<Health>
  readonly stocks: readonly Stock[]
  /** True until the first response. */
  readonly stocksWaiting: boolean
  /** Time of the pools' numbers. */
  readonly stocksTs: number | null
  /** Tickers of the stocks. */
  readonly symbols: ReadonlySet<string>
}

const noSymbols: ReadonlySet<string> = new Set()
const noAnswer = { value: null, waiting: true, ts: null, error: null, again: () => {} }

export const ServiceContext = createContext<Service>({
  status: noAnswer,
  health: noAnswer,
  stocks: [],
  stocksWaiting: true,
  stocksTs: null,
  symbols: noSymbols,
})

export const useService = (): Service => useContext(ServiceContext)

/** Reads the status and sets the page's clock by it. */
export const askStatus = async (signal: AbortSignal): Promise<Status> => {
  const status = await api.status({ signal })
  setServiceTime(status.ts)
  return status
}

/**
 * Time of the pools' numbers in a response without its own time: that of the cursor, and no newer
 * than the response.
 */
export const indexedTsOf = (status: Answer<Status>, answeredTs: number | null): number | null => {
  const indexedTs = status.value?.chain.indexedTs ?? null
  return indexedTs === null || answeredTs === null ? null : Math.min(indexedTs, answeredTs)
}

/** In the document, so that the first frame has them and nothing moves when they are asked. */
const first = {
  status: peekFirstAnswer<Status>('/api/v1/status'),
  health: peekFirstAnswer<Health>('/api/v1/health'),
  stocks: peekFirstAnswer<Page<Stock>>(`/api/v1/stocks?limit=${stocksMax}`),
}
if (first.status !== undefined) setServiceTime(first.status.ts)

/** Polls what every page shows, once per page. */
export const useServiceAnswers = (): Service => {
  const askHealth = (signal: AbortSignal) => api.health({ signal })
  const askStocks = (signal: AbortSignal) => api.stocks({ limit: stocksMax }, { signal })
  const status = useAnswer({
    ...{ key: 'status', ask: askStatus, everySeconds: statusSeconds },
    known: first.status,
  })
  const health = useAnswer({
    ...{ key: 'health', ask: askHealth, everySeconds: healthSeconds },
    known: first.health,
  })
  const listed = useAnswer({
    ...{ key: 'stocks', ask: askStocks, everySeconds: stocksSeconds },
    known: first.stocks,
  })
  const stocks = listed.value?.items ?? []
  const symbols = new Set(stocks.map(({ symbol }) => symbol))
  const stocksTs = indexedTsOf(status, listed.ts)
  return { status, health, stocks, stocksWaiting: listed.value === null, stocksTs, symbols }
}
