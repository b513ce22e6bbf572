import { useEffect } from 'preact/hooks'
import { readRange } from '../chart/ranges.tsx'
import { pricedBy } from '../chart/series.ts'
import { formatUsdPrice } from '../format/number.ts'
import { LiquidityPanel } from '../liquidity/liquidity-panel.tsx'
import { usePoolNews } from '../live/pool-news.ts'
import { Nothing } from '../parts/notice.tsx'
import { Explained } from '../provenance/explained.tsx'
import { RangeBox } from '../range/range-box.tsx'
import { PoolQuoteBox } from '../swap/pool-quote.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { Facts, Reference, Reserves, Rules } from './facts.tsx'
import { PoolHead } from './head.tsx'
import { SwapTape } from './swap-tape.tsx'
import { usePool } from './use-pool.ts'

type PageProps = { readonly id: string; readonly search: string }

export const PoolPage = ({ id, search }: PageProps) => {
  const news = usePoolNews(id)
  const { shown, error } = usePool(id, readRange(search), news)
  const pool = shown?.pool
  const isStock = pool !== undefined && pricedBy(pool.kind) === 'stock'
  const price = isStock ? pool.stockPriceUsd : (pool?.otherPriceUsd ?? null)
  useEffect(() => {
    if (pool === undefined) return
    document.title = `${formatUsdPrice(price)} ${pool.stockSymbol}/${pool.otherSymbol ?? '?'}`
  }, [price])
  if (shown === null) return <Nothing error={error} what="the pool" />
  return (
    <Explained poolId={shown.pool.id}>
      <article class="detail">
        <PoolHead pool={shown.pool} />
        <div class="columns">
          <div class="wide-column">
            <ChartPanel
              pool={shown.pool}
              chart={shown.chart}
              search={search}
              news={news}
              waiting={shown.waiting}
            />
            <PoolQuoteBox pool={shown.pool} />
            <LiquidityPanel pool={shown.pool} />
            <RangeBox pool={shown.pool} />
            <SwapTape pool={shown.pool} news={news} search={search} />
          </div>
          <aside>
            <Reserves pool={shown.pool} />
            {shown.stock === null ? null : <Reference stock={shown.stock} />}
            <Facts pool={shown.pool} />
            <Rules pool={shown.pool} hookReview={shown.hookReview} />
          </aside>
        </div>
      </article>
    </Explained>
  )
}
