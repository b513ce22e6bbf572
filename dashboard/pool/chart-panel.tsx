import type { Pool } from '../../src/client/types.ts'
import { CandleChart } from '../chart/candle-chart.tsx'
import { CandleWidths, ChartStyles, readCandles } from '../chart/candle-choice.tsx'
import type { CandleWidth } from '../chart/candle-list.ts'
import { Chart } from '../chart/chart.tsx'
import { Ranges, readRange } from '../chart/ranges.tsx'
import { type ChartData, hasValues, pricedBy } from '../chart/series.ts'
import { isPruned, useCandles } from '../chart/use-candles.ts'
import type { PoolNews } from '../live/pool-news.ts'

/** Heights of the upper pane, so that lines and candles take the same place. */
const heights = { withPremium: 398, alone: 300 } as const

type CandlesProps = {
  readonly pool: Pool
  readonly width: CandleWidth
  readonly news: PoolNews
  readonly what: string
  readonly height: number
}

const errorWords = (error: unknown): string =>
  isPruned(error)
    ? 'Candles of this width are not kept. Choose wider ones.'
    : 'The candles could not be loaded. Trying again …'

const Candles = ({ pool, width, news, what, height }: CandlesProps) => {
  const unit = pricedBy(pool.kind) === 'stock' ? 'usd' : 'stock'
  const { shown, waiting, error, older, loadOlder } = useCandles({ pool, width, unit, news })
  const nothing = (words: string, isBusy: boolean) => (
    <p class={`nothing plots candles of-${height}`} role="status" aria-busy={isBusy}>
      {words}
    </p>
  )
  if (error !== null) return nothing(errorWords(error), false)
  if (shown === null) return nothing('Loading the candles …', true)
  if (shown.candles.length === 0) return nothing('There is no swap, and so no candle.', waiting)
  return (
    <div class="candle-panel" aria-busy={waiting}>
      <CandleChart
        key={shown.width}
        candles={shown.candles}
        unit={shown.unit}
        what={what}
        height={height}
        older={{ state: older, end: shown.end, onLoad: loadOlder }}
      />
    </div>
  )
}

type PanelProps = {
  readonly pool: Pool
  readonly chart: ChartData
  readonly search: string
  readonly news: PoolNews
  /** The lines are of the previous range. */
  readonly waiting: boolean
}

/** The pool's price in lines with its reference, or in candles. */
export const ChartPanel = ({ pool, chart, search, news, waiting }: PanelProps) => {
  const width = readCandles(search)
  const isStock = pricedBy(pool.kind) === 'stock'
  const other = pool.otherSymbol ?? 'other'
  const what = isStock ? pool.stockSymbol : other
  const height = hasValues(chart.premiumBps) ? heights.withPremium : heights.alone
  const unit = width === null || isStock ? 'USD' : pool.stockSymbol
  return (
    <section class="panel chart-panel" aria-busy={width === null && waiting}>
      <div class="chart-head">
        <h2>
          Price of <bdi>{what}</bdi> in {unit}
        </h2>
        <ChartStyles candles={width !== null} />
        {width === null ? <Ranges range={readRange(search)} /> : <CandleWidths width={width} />}
      </div>
      {width === null ? (
        <Chart data={chart} what={what} />
      ) : (
        <Candles pool={pool} width={width} news={news} what={what} height={height} />
      )}
    </section>
  )
}
