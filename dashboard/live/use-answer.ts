import { useEffect, useRef, useState } from 'preact/hooks'
import { nowTs } from './clock.ts'

export type Answer<T> = {
  /** The last one that came, also while a newer one is asked for. */
  readonly value: T | null
  /** To the question of now there is none yet: what is shown is of another one, or known before. */
  readonly waiting: boolean
  /** When it came, by the service's clock. */
  readonly ts: number | null
  readonly error: unknown
  readonly again: () => void
}

/** With the question that it is the answer to. */
type Told<T> = Pick<Answer<T>, 'value' | 'ts' | 'error'> & { readonly key: string | null }

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
  const [told, setTold] = useState<Told<T>>({ value: null, key: null, ts: null, error: null })
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

  const { key: answered, ...shown } = told
  const waiting = answered !== key
  const value = waiting && known !== undefined ? known : shown.value
  return { ...shown, value, waiting, again: () => setTurn((count) => count + 1) }
}
