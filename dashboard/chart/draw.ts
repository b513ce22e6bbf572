import uPlot from 'uplot'
import { formatBps, formatUsd, formatUsdPrice } from '../format/number.ts'
import { formatMark } from '../format/time.ts'
import { type ChartData, hasValues } from './series.ts'

/*
 * Three stacked charts with a shared cursor: price and reference, the gap between them, volume.
 * Colours come from the page's style, so both themes work.
 */

const colorNames = [
  'price',
  'fill',
  'reference',
  'gap',
  'gap-fill',
  'volume',
  'grid',
  'mute',
] as const
type Colors = Readonly<Record<(typeof colorNames)[number], string>>

/** Resolves the colours, because a canvas knows neither CSS variables nor themes. */
const readColors = (element: Element): Colors => {
  const probe = document.createElement('span')
  element.append(probe)
  const color = (name: string): string => {
    probe.style.color = `var(--chart-${name})`
    return getComputedStyle(probe).color
  }
  const entries = colorNames.map((name) => [name, color(name)])
  probe.remove()
  return Object.fromEntries(entries)
}

const font = '11px system-ui, sans-serif'
const axisPixels = 68

const timeMarks: uPlot.Axis.DynamicValues = (_plot, splits, _axis, _space, apart) =>
  splits.map((ts) => formatMark(ts, apart))

const axesOf = (
  { grid, mute }: Colors,
  format: (value: number) => string,
  showsTime: boolean,
): uPlot.Axis[] => {
  const common = { stroke: mute, font, grid: { stroke: grid, width: 1 }, ticks: { show: false } }
  return [
    { ...common, size: showsTime ? 28 : 0, values: showsTime ? timeMarks : () => [] },
    {
      ...common,
      side: 1,
      size: axisPixels,
      space: 24,
      values: (_plot, splits) => splits.map((split) => format(split)),
    },
  ]
}

type PaneParts = {
  readonly height: number
  readonly format: (value: number) => string
  readonly series: uPlot.Series[]
  readonly showsTime: boolean
  readonly range?: uPlot.Scale.Range
  readonly onCursor: (at: number | null) => void
}

const paneOptions = (
  { width, colors, key }: { width: number; colors: Colors; key: string },
  { height, format, series, showsTime, range, onCursor }: PaneParts,
): uPlot.Options => ({
  width,
  height,
  padding: [8, 0, showsTime ? 0 : 4, 4],
  legend: { show: false },
  cursor: {
    sync: { key },
    y: false,
    points: { size: 7 },
    drag: { x: false, y: false },
  },
  scales: { x: { time: true }, ...(range === undefined ? {} : { y: { range } }) },
  axes: axesOf(colors, format, showsTime),
  series: [{}, ...series],
  hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
})

/** Keeps the line off the frame and small changes of a flat price small. */
const priceRange: uPlot.Scale.Range = (_plot, min, max) => {
  const middle = (min + max) / 2
  const half = Math.max((max - min) / 2, Math.abs(middle) * 0.0005)
  return [middle - half * 1.15, middle + half * 1.15]
}

const fromZero: uPlot.Scale.Range = (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1]

const gapRange: uPlot.Scale.Range = (_plot, min, max) => {
  const most = Math.max(Math.abs(min), Math.abs(max), 5) * 1.15
  return [-most, most]
}

type Column = readonly (number | null)[]
type Pane = { readonly parts: Omit<PaneParts, 'onCursor'>; readonly columns: uPlot.AlignedData }

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
  const fill = { fill: colors['gap-fill'], fillTo: () => 0 }
  return {
    parts: {
      height: isLast ? 126 : 98,
      format: formatBps,
      series: [{ stroke: colors.gap, width: 1.5, ...fill }],
      showsTime: isLast,
      range: gapRange,
    },
    columns: columnsOf(data.ts, data.gapBps),
  }
}

const volumePane = (data: ChartData, colors: Colors): Pane => {
  const paths = uPlot.paths.bars?.({ size: [0.7, 14] })
  const bars = { stroke: colors.volume, fill: colors.volume, points: { show: false } }
  return {
    parts: {
      height: 116,
      format: formatUsd,
      series: [{ ...bars, ...(paths === undefined ? {} : { paths }) }],
      showsTime: true,
      range: fromZero,
    },
    columns: columnsOf(data.ts, data.volumeUsd),
  }
}

const panesOf = (data: ChartData, colors: Colors, compact: boolean): readonly Pane[] => {
  const hasGap = !compact && hasValues(data.gapBps)
  const hasVolume = !compact && data.volumeUsd.length > 0
  return [
    pricePane(data, colors, compact, !hasGap && !hasVolume),
    ...(hasGap ? [gapPane(data, colors, !hasVolume)] : []),
    ...(hasVolume ? [volumePane(data, colors)] : []),
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

const widthMin = 200

/** A constant, because uPlot keeps every sync group forever. */
const cursorGroup = 'chart'

/** Draws into the element at its full width. */
export const drawChart = (
  element: HTMLElement,
  { data, compact, onCursor }: DrawParts,
): Drawing => {
  const colors = readColors(element)
  const widthNow = () => Math.max(widthMin, element.clientWidth)
  const frame = { width: widthNow(), colors, key: cursorGroup }
  const plots = panesOf(data, colors, compact).map(
    ({ parts, columns }) => new uPlot(paneOptions(frame, { ...parts, onCursor }), columns, element),
  )
  const observer = new ResizeObserver(() => {
    for (const plot of plots) plot.setSize({ width: widthNow(), height: plot.height })
  })
  observer.observe(element)
  return {
    update: (next) => {
      const panes = panesOf(next, colors, compact)
      const fits = panes.every(({ columns }, at) => plots[at]?.data.length === columns.length)
      if (!fits || panes.length !== plots.length) return false
      for (const [at, { columns }] of panes.entries()) plots[at]?.setData(columns)
      return true
    },
    clear: () => {
      observer.disconnect()
      for (const plot of plots) plot.destroy()
    },
  }
}
