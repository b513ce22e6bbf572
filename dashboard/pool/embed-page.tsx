import { useEffect } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { readRange } from '../chart/ranges.tsx'
import { pricedBy } from '../chart/series.ts'
import { formatExact, formatUsdPrice } from '../format/number.ts'
import { useNetworkAnswer } from '../live/network.ts'
import { usePoolNews } from '../live/pool-news.ts'
import { askStatus } from '../live/service.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Age } from '../parts/age.tsx'
import { Figure } from '../parts/figure.tsx'
import { Nothing } from '../parts/notice.tsx'
import { Premium } from '../parts/premium.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { TipBox } from '../parts/tip.tsx'
import { Pair } from '../pools/pair.tsx'
import { usePool } from './use-pool.ts'

const statusSeconds = 60

type PageProps = { readonly id: string; readonly search: string }

/** A small chart of one pool to embed in other pages, with a link to the pool. */
export const EmbedPage = ({ id, search }: PageProps) => {
  const { shown, error } = usePool(id, readRange(search), usePoolNews(id))
  const network = useNetworkAnswer()
  // Sets the page's clock; nothing of it is shown.
  useAnswer({ key: 'status', ask: askStatus, everySeconds: statusSeconds })
  useEffect(() => {
    document.documentElement.classList.add('embedded')
  }, [])
  if (shown === null) return <Nothing error={error} what="the pool" />
  const { pool, chart } = shown
  const isStock = pricedBy(pool.kind) === 'stock'
  const usd = isStock ? pool.stockPriceUsd : pool.otherPriceUsd
  return (
    <article class="embed">
      <p class="embed-head">
        <Pair pool={pool} />
        <Figure
          exact={`$${formatExact(usd)}`}
          source="The pool’s price in US dollars."
          ts={pool.stateTs}
        >
          <b>{formatUsdPrice(usd)}</b>
        </Figure>
        {isStock ? <Premium {...pool} ts={pool.stateTs} /> : null}
        <StatusBadge {...pool} />
      </p>
      <Chart data={chart} what={isStock ? pool.stockSymbol : (pool.otherSymbol ?? '')} compact />
      <p class="embed-foot">
        {network?.sandbox === true ? (
          <b class="bad">SANDBOX, not a real market</b>
        ) : (
          network?.network
        )}
        <span>
          state <Age ts={pool.stateTs} /> old
        </span>
        <a href={`/pools/${pool.id}`} target="_blank" rel="noopener">
          stockpools
        </a>
      </p>
      <TipBox />
    </article>
  )
}
