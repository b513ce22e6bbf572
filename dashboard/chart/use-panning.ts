import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Less is a click that moves nothing. */
const dragPixelsMin = 4

/**
 * Pans by dragging with any pointer and by sideways scrolling. `onPan` hears by how many pixels to
 * the right the content moves.
 */
export const usePanning = (
  element: RefObject<HTMLElement | null>,
  onPan: (pixels: number) => void,
) => {
  const latest = useRef(onPan)
  latest.current = onPan
  useEffect(() => {
    const own = element.current
    if (own === null) return
    const stop = new AbortController()
    const { signal } = stop
    let dragged: { readonly pointer: number; readonly x: number; readonly moves: boolean } | null =
      null
    const begin = ({ pointerId: pointer, clientX: x, button }: PointerEvent) => {
      if (button === 0) dragged = { pointer, x, moves: false }
    }
    const move = ({ pointerId, clientX: x }: PointerEvent) => {
      if (dragged?.pointer !== pointerId) return
      const pixels = x - dragged.x
      if (!dragged.moves && Math.abs(pixels) < dragPixelsMin) return
      if (!dragged.moves) own.setPointerCapture(pointerId)
      dragged = { pointer: pointerId, x, moves: true }
      latest.current(pixels)
    }
    const end = () => {
      dragged = null
    }
    // The page scrolls up and down as ever; sideways it would leave the page.
    const scroll = (event: WheelEvent) => {
      const { deltaX, deltaY, shiftKey } = event
      const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX
      if (sideways === 0 || Math.abs(sideways) < Math.abs(shiftKey ? 0 : deltaY)) return
      event.preventDefault()
      latest.current(-sideways)
    }
    own.addEventListener('pointerdown', begin, { signal })
    own.addEventListener('pointermove', move, { signal })
    own.addEventListener('pointerup', end, { signal })
    own.addEventListener('pointercancel', end, { signal })
    own.addEventListener('wheel', scroll, { signal, passive: false })
    return () => stop.abort()
  }, [])
}
