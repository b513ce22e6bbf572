import uPlot from 'uplot'
import { formatUsd } from '../format/number.ts'
import { formatMark } from '../format/time.ts'

/*
 * What all panes of charts have in common. Colours come from the page's style, so both themes work.
 */

const colorNames = [
  'price',
  'fill',
  'reference',
  'premium',
  'premium-fill',
  'volume',
  'up',
  'down',
  'grid',
  'mute',
] as const
export type Colors = Readonly<Record<(typeof colorNames)[number], string>>

/** Resolves the colours, because a canvas knows neither CSS variables nor themes. */
export const readColors = (element: Element): Colors => {
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

/** Between marks of rows that are numbered. */
const ordinalSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
const ordinalMarkPixels = 64

const axesOf = (
  { grid, mute }: Colors,
  { format, showsTime, ordinal }: Pick<PaneParts, 'format' | 'showsTime' | 'ordinal'>,
): uPlot.Axis[] => {
  const common = { stroke: mute, font, grid: { stroke: grid, width: 1 }, ticks: { show: false } }
  return [
    {
      ...common,
      size: showsTime ? 28 : 0,
      values: showsTime ? (ordinal?.marks ?? timeMarks) : () => [],
      ...(ordinal === undefined ? {} : { incrs: ordinalSteps, space: ordinalMarkPixels }),
    },
    {
      ...common,
      side: 1,
      size: axisPixels,
      space: 24,
      values: (_plot, splits) => splits.map((split) => format(split)),
    },
  ]
}

export type PaneParts = {
  readonly height: number
  readonly format: (value: number) => string
  readonly series: uPlot.Series[]
  readonly showsTime: boolean
  readonly range?: uPlot.Scale.Range
  /** Rows lie side by side by their numbers, whatever time is between them. */
  readonly ordinal?: { readonly marks: uPlot.Axis.DynamicValues; readonly range: uPlot.Scale.Range }
  readonly onCursor: (at: number | null) => void
  /** Draws onto the canvas, above the series. */
  readonly onDraw?: (plot: uPlot) => void
}

const paneOptions = (
  { width, colors, key }: { width: number; colors: Colors; key: string },
  { height, format, series, showsTime, range, ordinal, onCursor, onDraw }: PaneParts,
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
  scales: {
    x: ordinal === undefined ? { time: true } : { time: false, range: ordinal.range },
    ...(range === undefined ? {} : { y: { range } }),
  },
  axes: axesOf(colors, { format, showsTime, ...(ordinal === undefined ? {} : { ordinal }) }),
  series: [{}, ...series],
  hooks: {
    setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
    ...(onDraw === undefined ? {} : { draw: [onDraw] }),
  },
})

const fromZero: uPlot.Scale.Range = (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1]

/** The lowest pane: bars of dollars. */
export const volumeParts = (colors: Colors): Omit<PaneParts, 'onCursor'> => {
  const paths = uPlot.paths.bars?.({ size: [0.7, 14] })
  const bars = { stroke: colors.volume, fill: colors.volume, points: { show: false } }
  return {
    height: 116,
    format: formatUsd,
    series: [{ ...bars, ...(paths === undefined ? {} : { paths }) }],
    showsTime: true,
    range: fromZero,
  }
}

/** Keeps the line off the frame and small changes of a flat price small. */
export const priceRange: uPlot.Scale.Range = (_plot, min, max) => {
  const middle = (min + max) / 2
  const half = Math.max((max - min) / 2, Math.abs(middle) * 0.0005)
  return [middle - half * 1.15, middle + half * 1.15]
}

const widthMin = 200

/** A constant, because uPlot keeps every sync group forever. */
const cursorGroup = 'chart'

export type Pane = {
  readonly parts: Omit<PaneParts, 'onCursor'>
  readonly columns: uPlot.AlignedData
}

/** Draws panes below each other at the element's full width, which they keep up with. */
export const stackPanes = (
  element: HTMLElement,
  {
    panes,
    colors,
    onCursor,
  }: Pick<PaneParts, 'onCursor'> & {
    readonly panes: readonly Pane[]
    readonly colors: Colors
  },
) => {
  const widthNow = () => Math.max(widthMin, element.clientWidth)
  const frame = { width: widthNow(), colors, key: cursorGroup }
  const plots = panes.map(
    ({ parts, columns }) => new uPlot(paneOptions(frame, { ...parts, onCursor }), columns, element),
  )
  const observer = new ResizeObserver(() => {
    for (const plot of plots) plot.setSize({ width: widthNow(), height: plot.height })
  })
  observer.observe(element)
  return {
    plots,
    clear: () => {
      observer.disconnect()
      for (const plot of plots) plot.destroy()
    },
  }
}
