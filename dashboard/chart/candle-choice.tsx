import { setParams } from '../live/route.ts'
import { Choice } from '../parts/choice.tsx'
import { type CandleWidth, candleWidths } from './candle-list.ts'

/*
 * The URL says whether the chart shows lines or candles, and of which width.
 */

const styles = ['Line', 'Candles'] as const
const widths = Object.keys(candleWidths) as CandleWidth[]
const usualWidth: CandleWidth = '15m'

/** The width of the candles; null for lines. */
export const readCandles = (search: string): CandleWidth | null => {
  const params = new URLSearchParams(search)
  if (params.get('chart') !== 'candles') return null
  return widths.find((width) => width === params.get('width')) ?? usualWidth
}

export const ChartStyles = ({ candles }: { readonly candles: boolean }) => (
  <Choice
    legend="Chart"
    name="chart"
    choices={styles}
    chosen={candles ? 'Candles' : 'Line'}
    onChoose={(style) => setParams({ chart: style === 'Candles' ? 'candles' : null })}
  />
)

export const CandleWidths = ({ width }: { readonly width: CandleWidth }) => (
  <Choice
    legend="Width of a candle"
    name="width"
    choices={widths}
    chosen={width}
    onChoose={(next) => setParams({ width: next === usualWidth ? null : next })}
  />
)
