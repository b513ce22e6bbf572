import { useEffect } from 'preact/hooks'
import { Chart } from '../chart/chart.tsx'
import { readRange } from '../chart/ranges.tsx'
import { pricedBy } from '../chart/series.ts'
import { formatUsdPrice } from '../format/number.ts'
import { Age } from '../parts/age.tsx'
import { Gap } from '../parts/gap.tsx'
import { Nothing } from '../parts/notice.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { TipBox } from '../parts/tip.tsx'
import { Pair } from '../pools/pair.tsx'
import { useEmbedNetwork } from './use-embed-network.ts'
import { usePool } from './use-pool.ts'

type PageProps = { readonly id: string; readonly search: string }

/** A small chart for other people's pages: one pool, and the way to the whole of it. */
export const EmbedPage = ({ id, search }: PageProps) => {
  const { shown, error } = usePool(id, readRange(search))
  const network = useEmbedNetwork()
  useEffect(() => {
    document.documentElement.classList.add('embedded')
  }, [])
  if (shown === null) return <Nothing error={error} what="the pool" />
  const { pool, chart } = shown
  const isStock = pricedBy(pool.kind) === 'stock'
  return (
    <article class="embed">
      <p class="embed-head">
        <Pair pool={pool} />
        <b>{formatUsdPrice(isStock ? pool.stockPriceUsd : pool.otherPriceUsd)}</b>
        {isStock ? <Gap {...pool} /> : null}
        <StatusBadge {...pool} />
      </p>
      <Chart data={chart} what={isStock ? pool.stockSymbol : (pool.otherSymbol ?? '')} compact />
      <p class="embed-foot">
        {network === 'sandbox' ? <b class="bad">SANDBOX, not a real market</b> : network}
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
