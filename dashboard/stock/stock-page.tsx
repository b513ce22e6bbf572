import { useEffect, useMemo } from 'preact/hooks'
import type { Stock, StockDetail } from '../../src/client/types.ts'
import { Chart } from '../chart/chart.tsx'
import { Ranges, readRange } from '../chart/ranges.tsx'
import { stockChartOf } from '../chart/series.ts'
import { formatExact, formatUsdPrice } from '../format/number.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Figure } from '../parts/figure.tsx'
import { Nothing } from '../parts/notice.tsx'
import { Premium } from '../parts/premium.tsx'
import { reasonsText, StatusBadge } from '../parts/status-badge.tsx'
import { PoolTable } from '../pools/pool-table.tsx'
import { StockQuoteBox } from '../swap/stock-quote.tsx'
import { reasonWords } from '../words/reasons.ts'
import { quoteSourceText } from '../words/source-words.ts'
import { LookAlikes, useLookAlikes } from './look-alike-list.tsx'
import { Session } from './session.tsx'
import { StockFacts } from './stock-facts.tsx'

const refreshSeconds = 15

/** Time of the pools' numbers; all pools of a response have the same time. */
const poolsTsOf = ({ stock, pools }: StockDetail): number | null => {
  const best = pools.find(({ id }) => id === stock.bestPoolId)
  return best?.stateTs ?? pools.find(({ stateTs }) => stateTs !== null)?.stateTs ?? null
}

type HeadProps = { readonly stock: Stock; readonly poolsTs: number | null }

const StockHead = ({ stock, poolsTs }: HeadProps) => (
  <section class="head">
    <p class="crumbs">
      <a href="/stocks">Stocks</a> › {stock.issuer ?? 'issuer not known'}
    </p>
    <div class="title-line">
      <h1>{stock.symbol}</h1>
      <span class="stock-name">{stock.name}</span>
      <Session stock={stock} />
      <StatusBadge {...stock} />
    </div>
    <p class="main-price">
      <span class="mute">Pools</span>
      <Figure
        exact={`$${formatExact(stock.poolPriceUsd)}`}
        source="The best canonical pool’s price."
        ts={poolsTs}
      >
        <b>{formatUsdPrice(stock.poolPriceUsd)}</b>
      </Figure>
      <Premium {...stock} why={reasonsText(stock)} ts={poolsTs} />
      <span class="mute in-other">
        Reference{' '}
        <Figure
          exact={`$${formatExact(stock.tokenUsd)}`}
          source={`Per token. ${quoteSourceText(stock)}.`}
          ts={stock.quoteTs}
        >
          {formatUsdPrice(stock.tokenUsd)}
        </Figure>
      </span>
    </p>
    {stock.statusReasons.length === 0 ? null : (
      <ul class="reasons">
        {stock.statusReasons.map((reason) => (
          <li key={reason}>{reasonWords[reason]}</li>
        ))}
      </ul>
    )}
  </section>
)

type ContentProps = {
  readonly detail: StockDetail
  readonly lookAlikes: NonNullable<ReturnType<typeof useLookAlikes>>
  readonly search: string
  /** The series is of the previous range. */
  readonly waiting: boolean
}

const Content = ({ detail, lookAlikes, search, waiting }: ContentProps) => {
  const { stock, pools } = detail
  const chart = useMemo(() => stockChartOf(detail), [detail])
  const poolsTs = poolsTsOf(detail)
  return (
    <article class="detail">
      <StockHead stock={stock} poolsTs={poolsTs} />
      <LookAlikes stock={stock} {...lookAlikes} />
      <div class="columns">
        <div class="wide-column">
          <section class="panel chart-panel" aria-busy={waiting}>
            <div class="chart-head">
              <h2>Best pool against reference</h2>
              <Ranges range={readRange(search)} />
            </div>
            <Chart data={chart} what={stock.symbol} />
          </section>
          <StockQuoteBox stock={stock} pools={pools} />
        </div>
        <aside>
          <StockFacts stock={stock} poolsTs={poolsTs} />
        </aside>
      </div>
      <section class="panel pools-panel">
        <h2>
          Pools by liquidity{' '}
          {stock.pools.total > pools.length ? (
            <a href={`/?symbol=${encodeURIComponent(stock.symbol)}`}>all {stock.pools.total}</a>
          ) : null}
        </h2>
        <PoolTable caption={`Pools of ${stock.symbol}`} pools={pools} sorting={null} />
      </section>
    </article>
  )
}

export const StockPage = ({ name, search }: { readonly name: string; readonly search: string }) => {
  const range = readRange(search)
  const ask = (signal: AbortSignal) => api.stock(name, { range }, { signal })
  const key = `${name} ${range}`
  const { value, error, waiting } = useAnswer({ key, ask, everySeconds: refreshSeconds })
  useEffect(() => {
    document.title = `${name} · stockpools`
  }, [])
  // Asked at the same time, and shown together, so that the warning moves nothing.
  const lookAlikes = useLookAlikes(name)
  if (value === null || lookAlikes === null) return <Nothing error={error} what="the stock" />
  return <Content detail={value} lookAlikes={lookAlikes} search={search} waiting={waiting} />
}
