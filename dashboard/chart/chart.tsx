import { useEffect, useRef, useState } from 'preact/hooks'
import { formatBps, formatUsd, formatUsdPrice } from '../format/number.ts'
import { formatTs } from '../format/time.ts'
import type { Drawing } from './draw.ts'
import { loadDraw, useThemeVersion } from './load-draw.ts'
import { type ChartData, hasValues } from './series.ts'

type LegendProps = {
  readonly data: ChartData
  readonly at: number | null
  readonly what: string
}

/** The values under the cursor, or the latest. */
const Legend = ({ data, at, what }: LegendProps) => {
  const row = at ?? data.ts.length - 1
  const value = (column: readonly (number | null)[]) => column[row] ?? null
  return (
    <p class="legend" aria-live="off">
      <span class="mute">{formatTs(data.ts[row] ?? null)}</span>
      <span class="of-price">
        {what} <b>{formatUsdPrice(value(data.price))}</b>
      </span>
      {hasValues(data.reference) ? (
        <>
          <span class="of-reference">
            Reference <b>{formatUsdPrice(value(data.reference))}</b>
          </span>
          <span class="of-premium">
            Premium / drift <b>{formatBps(value(data.premiumBps))}</b>
          </span>
        </>
      ) : null}
      {data.volumeUsd.length > 0 ? (
        <span class="of-volume">
          Volume <b>{formatUsd(value(data.volumeUsd))}</b>
        </span>
      ) : null}
    </p>
  )
}

type ChartProps = {
  readonly data: ChartData
  /** Name of the priced token. */
  readonly what: string
  readonly compact?: boolean
}

/** Keeps one drawing in the element and updates it with new data. */
const useDrawing = (data: ChartData, compact: boolean, onCursor: (at: number | null) => void) => {
  const element = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting')
  const version = useThemeVersion()
  const clear = () => {
    drawing.current?.clear()
    drawing.current = null
  }
  // The element is removed while there is no price, so the drawing must be rebuilt.
  useEffect(() => clear, [version, compact, hasValues(data.price)])
  useEffect(() => {
    let isUnmounted = false
    const show = async () => {
      const draw = await loadDraw()
      if (isUnmounted || element.current === null || drawing.current?.update(data) === true) return
      clear()
      drawing.current = draw.lines(element.current, { data, compact, onCursor })
      setState('drawn')
    }
    show().catch(() => setState('failed'))
    return () => {
      isUnmounted = true
    }
  }, [data, version, compact])
  return { element, state }
}

export const Chart = ({ data, what, compact = false }: ChartProps) => {
  const [at, setAt] = useState<number | null>(null)
  const { element, state } = useDrawing(data, compact, setAt)
  if (state === 'failed') {
    return <p class="nothing">The chart could not be loaded. Reload the page to try again.</p>
  }
  if (!hasValues(data.price)) {
    return <p class="nothing">No price is known in this range.</p>
  }
  return (
    <figure class="chart">
      <Legend data={compact ? { ...data, volumeUsd: [] } : data} at={at} what={what} />
      <div
        class={compact ? 'plots compact' : `plots of-${hasValues(data.premiumBps) ? 398 : 300}`}
        role="img"
        aria-label={`Chart of ${what}`}
        aria-busy={state === 'waiting'}
        ref={element}
      />
    </figure>
  )
}
