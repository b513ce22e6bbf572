import { formatPrice, formatUsd } from '../format/number.ts'
import { useWidth } from '../live/use-width.ts'
import { baseline, createFrame, type Frame, pathOf, plotHeight } from './frame.ts'
import { type Area, roundMarks, type Span } from './shape.ts'

const markPixels = 90
const usdMarks = 4
const labelGap = 6
/** Half of a mark, which is not to leave the plot. */
const marginPixels = 24

const Axes = ({ frame }: { readonly frame: Frame }) => {
  const { right, usdMax, xOf, yOf, priceAt } = frame
  const inner = { from: priceAt(marginPixels), to: priceAt(right - marginPixels) }
  const count = Math.max(2, right / markPixels)
  return (
    <g class="axes">
      {roundMarks({ from: 0, to: usdMax }, usdMarks).map((usd) => (
        <g key={`usd ${usd}`}>
          <line x2={right} y1={yOf(usd)} y2={yOf(usd)} />
          <text x={right + labelGap} y={yOf(usd)} dy="0.35em">
            {formatUsd(usd)}
          </text>
        </g>
      ))}
      {roundMarks(inner, count).map((price) => (
        <g key={`price ${price}`}>
          <line x1={xOf(price)} x2={xOf(price)} y2={baseline} />
          <text class="price-mark" x={xOf(price)} y={baseline + 16}>
            {formatPrice(price)}
          </text>
        </g>
      ))}
    </g>
  )
}

type PlotProps = {
  /** Inside the span. */
  readonly areas: readonly Area[]
  readonly span: Span
  readonly mid: number
  /** Number of the segment that is read; null for none. */
  readonly at: number | null
  readonly label: string
  readonly spoken: string
  /** Reads a segment; null ends it. */
  readonly onRead: (at: number | null) => void
}

/** Keys that step through the segments in sight, by how far. */
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

const stepFrom = (areas: readonly Area[], at: number, step: number): number => {
  const numbers = [...new Set(areas.map((area) => area.at))]
  const place = Math.max(0, numbers.indexOf(at)) + step
  return numbers[Math.min(numbers.length - 1, Math.max(0, place))] ?? at
}

/** The areas of liquidity over the price. A slider for the keyboard: its value is a segment. */
export const LiquidityPlot = (props: PlotProps) => {
  const { areas, span, mid, at, label, spoken, onRead } = props
  const { element, width } = useWidth()
  const frame = createFrame(areas, span, width)
  const present = areas.find(({ to }) => to >= mid)?.at ?? areas.at(-1)?.at ?? 0
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    onRead(stepFrom(areas, at ?? present, step))
  }
  const onPointerMove = (event: PointerEvent) => {
    const left = element.current?.getBoundingClientRect().left ?? 0
    const price = frame.priceAt(event.clientX - left)
    onRead(areas.find(({ from, to }) => from <= price && price < to)?.at ?? null)
  }
  return (
    <div
      class="liquidity-plot"
      ref={element}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={areas[0]?.at ?? 0}
      aria-valuemax={areas.at(-1)?.at ?? 0}
      aria-valuenow={at ?? present}
      aria-valuetext={spoken}
      onKeyDown={onKeyDown}
      onFocus={() => onRead(at ?? present)}
      onBlur={() => onRead(null)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onRead(null)}
    >
      {width === 0 ? null : (
        <svg width={width} height={plotHeight} aria-hidden="true">
          <Axes frame={frame} />
          {areas.map((area) => (
            <path
              key={`${area.at} ${area.side}`}
              class={`area of-${area.side} ${area.at === at ? 'read' : ''}`}
              d={pathOf(area, frame)}
            />
          ))}
          <line class="mid" x1={frame.xOf(mid)} x2={frame.xOf(mid)} y2={baseline} />
        </svg>
      )}
    </div>
  )
}
