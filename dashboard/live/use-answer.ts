import { useEffect, useRef, useState } from 'preact/hooks'
import { nowTs } from './clock.ts'

export type Answer<T> = {
  /** The last one that came, also while a newer one is asked for. */
  readonly value: T | null
  /** To what question it is the answer. */
  readonly key: string | null
  /** When it came, by the service's clock. */
  readonly ts: number | null
  readonly error: unknown
  readonly again: () => void
}

type Asking<T> = {
  /** Another key is another question. */
  readonly key: string
  readonly ask: (signal: AbortSignal) => Promise<T>
  readonly everySeconds: number
  /** An answer that is known already, shown until the new one comes. */
  readonly known?: T | undefined
}

/** After a failure one waits no longer than this. */
const retrySecondsMax = 4

/**
 * Asks, and asks again after a while; not while nobody looks. What was answered stays until there
 * is something newer: neither another question nor a failure empties the screen.
 */
export const useAnswer = <T>({ key, ask, everySeconds, known }: Asking<T>): Answer<T> => {
  const [told, setTold] = useState<Omit<Answer<T>, 'again'>>({
    value: null,
    key: null,
    ts: null,
    error: null,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask

  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (seconds: number) => {
      timer = setTimeout(look, seconds * 1000)
    }
    const look = async () => {
      if (document.hidden) return later(1)
      try {
        const value = await latest.current(stop.signal)
        if (stop.signal.aborted) return
        setTold({ value, key, ts: nowTs(), error: null })
        later(everySeconds)
      } catch (error) {
        if (stop.signal.aborted) return
        setTold((before) => ({ ...before, error }))
        later(Math.min(everySeconds, retrySecondsMax))
      }
    }
    look()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, everySeconds, turn])

  const shown = known !== undefined && told.key !== key ? { ...told, value: known, key } : told
  return { ...shown, again: () => setTurn((count) => count + 1) }
}
