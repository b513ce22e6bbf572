import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Candle } from '../../src/client/types.ts'
import type { Span } from './candle-view.ts'
import type { CandleDrawing } from './draw-candles.ts'
import { loadDraw, useThemeVersion } from './load-draw.ts'

type Parts = {
  readonly candles: readonly Candle[]
  readonly span: Span
  readonly height: number
  readonly format: (price: number | null) => string
  /** Number of the candle that the keyboard reads; null for none. */
  readonly pointed: number | null
  readonly onCursor: (at: number | null) => void
}

/** Keeps one drawing in the element and updates it. */
export const useCandleDrawing = (element: RefObject<HTMLElement | null>, parts: Parts) => {
  const drawing = useRef<CandleDrawing | null>(null)
  const latest = useRef(parts)
  latest.current = parts
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting')
  const version = useThemeVersion()
  const { candles, span, height, format, pointed } = parts
  useEffect(() => {
    let isUnmounted = false
    const show = async () => {
      const draw = await loadDraw()
      if (isUnmounted || element.current === null) return
      const onCursor = (at: number | null) => latest.current.onCursor(at)
      drawing.current = draw.candles(element.current, { ...latest.current, onCursor })
      setState('drawn')
    }
    show().catch(() => setState('failed'))
    return () => {
      isUnmounted = true
      drawing.current?.clear()
      drawing.current = null
    }
  }, [version, height, format])
  useLayoutEffect(() => {
    drawing.current?.update({ candles, span })
    if (pointed !== null) drawing.current?.point(pointed)
  }, [candles, span.first, span.last, pointed, state])
  return { state, hideCursor: () => drawing.current?.point(null) }
}
