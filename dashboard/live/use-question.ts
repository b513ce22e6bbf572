import { useEffect, useRef, useState } from 'preact/hooks'
import { isApiError } from '../../src/client/api-error.ts'

type Question<T> = {
  /** Identifies the question; null asks nothing. */
  readonly key: string | null
  /** Identifies the state that the answer follows from: a newer one asks again. */
  readonly version: string
  readonly ask: (signal: AbortSignal) => Promise<T>
}

type Received<T> = {
  readonly key: string | null
  readonly version: string
  readonly value: T | null
  readonly error: unknown
}

/** Shortest time between an answer and the same question of a newer state. */
const refreshMs = 5000
const retryMs = 4000
const hiddenMs = 1000

/** Milliseconds until a failed question is repeated; null if the answer would be the same. */
export const retryAfterMs = (error: unknown): number | null => {
  if (!isApiError(error)) return retryMs
  if (error.status !== 429 && error.status < 500) return null
  return error.retryAfterSeconds === null ? retryMs : error.retryAfterSeconds * 1000
}

/** Milliseconds until the question is asked; null while its answer holds. */
const askInMs = <T>({ key, version }: Question<T>, received: Received<T>): number | null => {
  if (key === null) return null
  if (received.key !== key) return 0
  if (received.error !== null) return retryAfterMs(received.error)
  return received.version === version ? null : refreshMs
}

/**
 * Asks once for each question, and again when its state has changed or it has failed for now. The
 * last answer stays until the next one arrives; `waiting` says that it is of another question.
 */
export const useQuestion = <T>(question: Question<T>) => {
  const { key } = question
  const [received, setReceived] = useState<Received<T>>({
    key: null,
    version: '',
    value: null,
    error: null,
  })
  const latest = useRef(question)
  latest.current = question
  const waitMs = askInMs(question, received)
  useEffect(() => {
    if (waitMs === null) return
    const stop = new AbortController()
    const run = async () => {
      if (document.hidden) {
        timer = setTimeout(run, hiddenMs)
        return
      }
      const { ask, version } = latest.current
      const answer = await ask(stop.signal).then(
        (value) => () => ({ key, version, value, error: null }),
        (error: unknown) => (before: Received<T>) => ({
          ...{ key, version, error },
          value: before.key === key ? before.value : null,
        }),
      )
      if (!stop.signal.aborted) setReceived(answer)
    }
    let timer = setTimeout(run, waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, waitMs, received])
  return {
    value: key === null ? null : received.value,
    error: received.key === key ? received.error : null,
    waiting: key !== null && received.key !== key,
  }
}
