import type uPlot from 'uplot'
import type { Candle } from '../../src/client/types.ts'
import { formatMark } from '../format/time.ts'
import type { Span } from './candle-view.ts'
import { type Colors, type Pane, priceRange, readColors, stackPanes, volumeParts } from './pane.ts'

/*
 * Candles side by side, whatever time lies between them, above their volume:
 *
 *   row     first ... last     numbers of candles, also the x scale
 */

/** Candles in sight, with the number of the first. */
type Sight = { readonly candles: readonly Candle[]; readonly from: number }

type CandleParts = {
  readonly candles: readonly Candle[]
  readonly span: Span
  /** Pixels of the upper pane. */
  readonly height: number
  readonly format: (price: number | null) => string
  /** Called with the number of the candle under the cursor; null for none. */
  readonly onCursor: (at: number | null) => void
}

type CandleUpdate = Pick<CandleParts, 'candles' | 'span'>

export type CandleDrawing = {
  readonly update: (next: CandleUpdate) => void
  /** Puts the cursor on the candle of this number; null hides it. */
  readonly point: (at: number | null) => void
  readonly clear: () => void
}

const sightOf = ({ candles, span }: CandleUpdate): Sight => {
  const from = Math.max(0, span.first)
  return { candles: candles.slice(from, span.last + 1), from }
}

const daySeconds = 86_400

/** Marks of times at unequal distances: the day where it changes, otherwise the time. */
const marksOf =
  (candleAt: (number: number) => Candle | undefined): uPlot.Axis.DynamicValues =>
  (_plot, splits) => {
    let before = ''
    return splits.map((number) => {
      const ts = candleAt(number)?.ts
      if (ts === undefined) return ''
      const day = formatMark(ts, daySeconds)
      const isNewDay = day !== before
      before = day
      return isNewDay ? day : formatMark(ts, 0)
    })
  }

const bodyPart = 0.7
/** Bodies that are narrower are filled, because a frame would leave nothing inside. */
const hollowPixelsMin = 4

/** Rising candles are hollow and falling ones filled, so that colours are not needed. */
const drawBodies =
  (colors: Colors, sight: () => Sight) =>
  (plot: uPlot): void => {
    const { ctx, bbox } = plot
    const px = devicePixelRatio
    const xOf = (number: number) => plot.valToPos(number, 'x', true)
    const yOf = (price: number) => plot.valToPos(price, 'y', true)
    const width = Math.max(px, Math.round((xOf(1) - xOf(0)) * bodyPart))
    const { candles, from } = sight()
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineWidth = px
    for (const [at, { open, high, low, close }] of candles.entries()) {
      if (open === null || high === null || low === null || close === null) continue
      const isRising = close >= open
      const color = isRising ? colors.up : colors.down
      ctx.strokeStyle = color
      ctx.fillStyle = color
      const x = Math.round(xOf(from + at))
      const [top, bottom] = [yOf(Math.max(open, close)), yOf(Math.min(open, close))]
      const [left, height] = [x - width / 2, Math.max(px, bottom - top)]
      ctx.beginPath()
      ctx.moveTo(x, yOf(high))
      ctx.lineTo(x, top)
      ctx.moveTo(x, top + height)
      ctx.lineTo(x, yOf(low))
      ctx.stroke()
      const isHollow = isRising && width >= hollowPixelsMin * px && height > 2 * px
      if (isHollow) ctx.strokeRect(left + px / 2, top + px / 2, width - px, height - px)
      else ctx.fillRect(left, top, width, height)
    }
    ctx.restore()
  }

/** Draws nothing: only its values count for the range of prices. */
const unseen: uPlot.Series = { paths: () => null, points: { show: false } }

const columnsOf = ({ candles, from }: Sight) => {
  const numbers = candles.map((_candle, at) => from + at)
  const column = (name: 'open' | 'high' | 'low' | 'close' | 'volumeUsd') =>
    candles.map((candle) => candle[name])
  return {
    prices: [numbers, column('high'), column('low')] as uPlot.AlignedData,
    volume: [numbers, column('volumeUsd')] as uPlot.AlignedData,
  }
}

/** A view without a price still has a scale. */
const rangeOrNone: uPlot.Scale.Range = (plot, min, max, key) =>
  Number.isFinite(min) && Number.isFinite(max) && min !== null
    ? (priceRange as uPlot.Range.Function)(plot, min, max, key)
    : [0, 1]

/** Where a cursor is not seen. */
const outside = { left: -10, top: -10 }

/** Draws into the element at its full width. */
export const drawCandles = (element: HTMLElement, parts: CandleParts): CandleDrawing => {
  const { height, format, onCursor } = parts
  const colors = readColors(element)
  let { candles, span } = parts
  let sight = sightOf(parts)
  const ordinal = {
    marks: marksOf((number) => candles[number]),
    range: () => [span.first - 0.5, span.last + 0.5] as uPlot.Range.MinMax,
  }
  const onDraw = drawBodies(colors, () => sight)
  const panesNow = (): readonly Pane[] => {
    const { prices, volume } = columnsOf(sight)
    const upper = { height, format, series: [unseen, unseen], showsTime: false, ordinal }
    return [
      { parts: { ...upper, range: rangeOrNone, onDraw }, columns: prices },
      { parts: { ...volumeParts(colors), ordinal }, columns: volume },
    ]
  }
  const { plots, clear } = stackPanes(element, {
    panes: panesNow(),
    colors,
    onCursor: (at) => onCursor(at === null ? null : sight.from + at),
  })
  return {
    update: (next) => {
      ;({ candles, span } = next)
      sight = sightOf(next)
      for (const [at, { columns }] of panesNow().entries()) plots[at]?.setData(columns)
    },
    point: (at) => {
      for (const plot of plots) {
        const place = at === null ? outside : { left: plot.valToPos(at, 'x'), top: 0 }
        plot.setCursor(place)
      }
    },
    clear,
  }
}
