import { useEffect } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { Ranges, readRange } from '../chart/ranges.tsx'
import { pricedBy } from '../chart/series.ts'
import { formatUsdPrice } from '../format/number.ts'
import { LiquidityPanel } from '../liquidity/liquidity-panel.tsx'
import { Nothing } from '../parts/notice.tsx'
import { PoolQuoteBox } from '../swap/pool-quote.tsx'
import { Facts, Reference, Reserves, Rules } from './facts.tsx'
import { PoolHead } from './head.tsx'
import { SwapTape } from './swap-tape.tsx'
import { usePool } from './use-pool.ts'

type PageProps = { readonly id: string; readonly search: string }

export const PoolPage = ({ id, search }: PageProps) => {
  const range = readRange(search)
  const { shown, error } = usePool(id, range)
  const pool = shown?.pool
  const isStock = pool !== undefined && pricedBy(pool.kind) === 'stock'
  const priced = isStock ? pool.stockSymbol : (pool?.otherSymbol ?? 'other')
  const price = isStock ? pool.stockPriceUsd : (pool?.otherPriceUsd ?? null)
  useEffect(() => {
    if (pool === undefined) return
    document.title = `${formatUsdPrice(price)} ${pool.stockSymbol}/${pool.otherSymbol ?? '?'}`
  }, [price])
  if (shown === null) return <Nothing error={error} what="the pool" />
  return (
    <article class="detail">
      <PoolHead pool={shown.pool} />
      <div class="columns">
        <div class="wide-column">
          <section class="panel chart-panel" aria-busy={shown.waiting}>
            <div class="chart-head">
              <h2>Price of {<bdi>{priced}</bdi>} in USD</h2>
              <Ranges range={range} />
            </div>
            <Chart data={shown.chart} what={priced} />
          </section>
          <PoolQuoteBox pool={shown.pool} />
          <LiquidityPanel pool={shown.pool} />
          <SwapTape pool={shown.pool} swaps={shown.swaps} waiting={shown.waiting} />
        </div>
        <aside>
          <Reserves pool={shown.pool} />
          {shown.stock === null ? null : <Reference stock={shown.stock} />}
          <Facts pool={shown.pool} />
          <Rules pool={shown.pool} hookReview={shown.hookReview} />
        </aside>
      </div>
    </article>
  )
}
