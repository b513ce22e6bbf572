import type uPlot from 'uplot'
import { formatBps, formatUsdPrice } from '../format/number.ts'
import { drawCandles } from './draw-candles.ts'
import { type Colors, type Pane, priceRange, readColors, stackPanes, volumeParts } from './pane.ts'
import { type ChartData, hasValues } from './series.ts'

/*
 * Three stacked charts with a shared cursor: price and reference, the premium or drift, volume.
 */

const gapRange: uPlot.Scale.Range = (_plot, min, max) => {
  const most = Math.max(Math.abs(min), Math.abs(max), 5) * 1.15
  return [-most, most]
}

type Column = readonly (number | null)[]

const columnsOf = (ts: readonly number[], ...columns: readonly Column[]): uPlot.AlignedData => [
  [...ts],
  ...columns.map((column) => [...column]),
]

const pricePane = (data: ChartData, colors: Colors, compact: boolean, isLast: boolean): Pane => {
  const hasReference = hasValues(data.reference)
  const price = { stroke: colors.price, fill: colors.fill, width: 2 }
  const reference = { stroke: colors.reference, width: 1.5, dash: [5, 4] }
  return {
    parts: {
      height: compact ? 180 : 300,
      format: formatUsdPrice,
      series: [price, ...(hasReference ? [reference] : [])],
      showsTime: isLast,
      range: priceRange,
    },
    columns: columnsOf(data.ts, data.price, ...(hasReference ? [data.reference] : [])),
  }
}

const gapPane = (data: ChartData, colors: Colors, isLast: boolean): Pane => {
  const fill = { fill: colors['premium-fill'], fillTo: () => 0 }
  return {
    parts: {
      height: isLast ? 126 : 98,
      format: formatBps,
      series: [{ stroke: colors.premium, width: 1.5, ...fill }],
      showsTime: isLast,
      range: gapRange,
    },
    columns: columnsOf(data.ts, data.premiumBps),
  }
}

const panesOf = (data: ChartData, colors: Colors, compact: boolean): readonly Pane[] => {
  const hasPremium = !compact && hasValues(data.premiumBps)
  const hasVolume = !compact && data.volumeUsd.length > 0
  return [
    pricePane(data, colors, compact, !hasPremium && !hasVolume),
    ...(hasPremium ? [gapPane(data, colors, !hasVolume)] : []),
    ...(hasVolume
      ? [{ parts: volumeParts(colors), columns: columnsOf(data.ts, data.volumeUsd) }]
      : []),
  ]
}

type DrawParts = {
  readonly data: ChartData
  readonly compact: boolean
  /** Called with the row under the cursor; null for none. */
  readonly onCursor: (at: number | null) => void
}

export type Drawing = {
  /** Shows new data in the same charts; false if the charts must be rebuilt. */
  readonly update: (data: ChartData) => boolean
  readonly clear: () => void
}

/** Draws into the element at its full width. */
const drawLines = (element: HTMLElement, { data, compact, onCursor }: DrawParts): Drawing => {
  const colors = readColors(element)
  const panes = panesOf(data, colors, compact)
  const { plots, clear } = stackPanes(element, { panes, colors, onCursor })
  return {
    update: (next) => {
      const changed = panesOf(next, colors, compact)
      const fits = changed.every(({ columns }, at) => plots[at]?.data.length === columns.length)
      if (!fits || changed.length !== plots.length) return false
      for (const [at, { columns }] of changed.entries()) plots[at]?.setData(columns)
      return true
    },
    clear,
  }
}

/** Everything that draws, in one file with the library that it needs. */
export const draw = { lines: drawLines, candles: drawCandles }
