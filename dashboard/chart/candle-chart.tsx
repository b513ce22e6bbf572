import { useEffect, useRef, useState } from 'preact/hooks'
import type { Candle } from '../../src/client/types.ts'
import { useWidth } from '../live/use-width.ts'
import { CandleLegend, priceFormats, spokenOf } from './candle-legend.tsx'
import type { CandleUnit } from './candle-list.ts'
import { endAt, placeOf, reveal, spanOf, type ViewEnd } from './candle-view.ts'
import { OlderLine, type OlderProps } from './older-line.tsx'
import { useCandleDrawing } from './use-candle-drawing.ts'
import { usePanning } from './use-panning.ts'

/** Pixels of a candle with the room beside it, by zoom. */
const zooms = [3, 5, 8, 12, 20, 32] as const
const usualZoom = 2
/** Room of the axis and the frame. */
const axisPixels = 72

/** Keys that step through the candles, by how far. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Candles that a button moves, of those in sight. */
const buttonPart = 0.8

const zoomSteps: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }

type ChartProps = {
  /** Oldest first; at least one. */
  readonly candles: readonly Candle[]
  readonly unit: CandleUnit
  /** Name of the priced token. */
  readonly what: string
  /** Pixels of the upper pane. */
  readonly height: number
  readonly older: OlderProps
}

/** The candles in sight, and how they are moved. */
const useView = (candles: readonly Candle[]) => {
  const [zoom, setZoom] = useState(usualZoom)
  const [end, setEnd] = useState<ViewEnd>(null)
  const { element, width } = useWidth()
  const pixels = zooms[zoom] ?? zooms[usualZoom]
  const count = Math.max(1, Math.floor((width - axisPixels) / pixels))
  const span = spanOf(candles, end, count)
  const panned = useRef(0)
  /** Moves by so many candles, to older ones if it is negative. */
  const move = (by: number) => setEnd(endAt(candles, Math.max(count - 1, span.last + by)))
  usePanning(element, (moved) => {
    // What is left of a candle counts with the next move.
    panned.current += moved
    const by = Math.trunc(panned.current / pixels)
    panned.current -= by * pixels
    if (by !== 0) move(-by)
  })
  return {
    ...{ element, width, count, span, move, zoom },
    show: (at: number) => setEnd(reveal(candles, span, at)),
    follow: () => setEnd(null),
    zoomBy: (by: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, zoom + by))),
  }
}

type View = ReturnType<typeof useView>

const Tools = ({ view, newest, older }: ToolsProps) => {
  const { span, count, move, follow, zoom, zoomBy } = view
  const part = Math.max(1, Math.round(count * buttonPart))
  const isOldest = span.first <= 0 && older.end !== null
  const button = (label: string, text: string, isOff: boolean, act: () => void) => (
    <button type="button" aria-label={label} title={label} disabled={isOff} onClick={act}>
      {text}
    </button>
  )
  return (
    <div class="candle-tools">
      <OlderLine {...older} isShown={span.first <= 0} />
      {button('Older candles', '‹', isOldest, () => move(-part))}
      {button('Newer candles', '›', span.last >= newest, () => move(part))}
      {button('Newest candles', '»', span.last >= newest, follow)}
      {button('More candles', '−', zoom === 0, () => zoomBy(-1))}
      {button('Larger candles', '+', zoom === zooms.length - 1, () => zoomBy(1))}
    </div>
  )
}

type ToolsProps = {
  readonly view: View
  readonly newest: number
  readonly older: OlderProps
}

/** Candles above their volume. A slider for the keyboard: its value is a candle. */
export const CandleChart = ({ candles, unit, what, height, older }: ChartProps) => {
  const [readTs, setReadTs] = useState<number | null>(null)
  const byKey = useRef(false)
  const view = useView(candles)
  const { span, count } = view
  const newest = candles.length - 1
  const at = readTs === null ? null : placeOf(candles, readTs)
  const read = (next: number | null) =>
    setReadTs(next === null ? null : (candles[next]?.ts ?? null))
  const { state, hideCursor } = useCandleDrawing(view.element, {
    ...{ candles, span, height, format: priceFormats[unit] },
    pointed: byKey.current ? at : null,
    onCursor: (next) => {
      if (!byKey.current) read(next)
    },
  })
  useEffect(() => {
    if (view.width > 0 && span.first < count / 2 && older.state === 'idle') older.onLoad()
  })
  const readByKey = (next: number) => {
    byKey.current = true
    view.show(next)
    read(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    const zoomStep = zoomSteps[event.key]
    if (step === undefined && zoomStep === undefined) return
    event.preventDefault()
    if (zoomStep !== undefined) view.zoomBy(zoomStep)
    if (step !== undefined) readByKey(Math.min(newest, Math.max(0, (at ?? span.last) + step)))
  }
  const leave = () => {
    byKey.current = false
    read(null)
    hideCursor()
  }
  const shown = candles[at ?? newest]
  if (state === 'failed') {
    return <p class="nothing">The chart could not be loaded. Reload the page to try again.</p>
  }
  return (
    <figure class="chart">
      <CandleLegend candle={shown} unit={unit} />
      <div
        class={`plots candles of-${height}`}
        role="slider"
        tabIndex={0}
        aria-label={`Candles of ${what}`}
        aria-busy={state === 'waiting'}
        aria-valuemin={0}
        aria-valuemax={newest}
        aria-valuenow={at ?? newest}
        aria-valuetext={spokenOf(shown, unit)}
        ref={view.element}
        onKeyDown={onKeyDown}
        onFocus={() => at === null && readByKey(span.last)}
        onBlur={leave}
        onPointerMove={() => {
          byKey.current = false
        }}
      />
      <Tools view={view} newest={newest} older={older} />
    </figure>
  )
}
