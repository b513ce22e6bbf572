import { useEffect, useRef, useState } from 'preact/hooks'
import { nowTs } from './clock.ts'

export type Answer<T> = {
  /** The last response, also while a newer one is requested. */
  readonly value: T | null
  /** True while the current request has no response; `value` is then an older one. */
  readonly waiting: boolean
  /** Time of the response by the service's clock. */
  readonly ts: number | null
  readonly error: unknown
  readonly again: () => void
}

/** A response and the key of its request. */
type Received<T> = Pick<Answer<T>, 'value' | 'ts' | 'error'> & { readonly key: string | null }

type Request<T> = {
  /** Identifies the request. */
  readonly key: string
  readonly ask: (signal: AbortSignal) => Promise<T>
  readonly everySeconds: number
  /** A known response, shown until the new one arrives. */
  readonly known?: T | undefined
}

/** Longest wait after a failure. */
const retrySecondsMax = 4

/**
 * Polls a request while the page is visible. The last response stays until a newer one arrives:
 * neither a new request nor a failure empties the screen.
 */
export const useAnswer = <T>({ key, ask, everySeconds, known }: Request<T>): Answer<T> => {
  const [received, setReceived] = useState<Received<T>>({
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
      timer = setTimeout(poll, seconds * 1000)
    }
    const poll = async () => {
      if (document.hidden) return later(1)
      try {
        const value = await latest.current(stop.signal)
        if (stop.signal.aborted) return
        setReceived({ value, key, ts: nowTs(), error: null })
        later(everySeconds)
      } catch (error) {
        if (stop.signal.aborted) return
        setReceived((before) => ({ ...before, error }))
        later(Math.min(everySeconds, retrySecondsMax))
      }
    }
    poll()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, everySeconds, turn])

  const { key: answered, ...shown } = received
  const waiting = answered !== key
  const value = waiting && known !== undefined ? known : shown.value
  return { ...shown, value, waiting, again: () => setTurn((count) => count + 1) }
}
