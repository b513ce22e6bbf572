import { useEffect, useRef } from 'preact/hooks'
import type { StreamEvent, StreamOptions } from '../../src/client/types.ts'
import { api } from './api.ts'

/** Hears what changes until the component goes; the client takes a broken stream up again. */
export const useStream = (
  filter: Omit<StreamOptions, 'signal'>,
  hear: (event: StreamEvent) => void,
): void => {
  const latest = useRef(hear)
  latest.current = hear
  const key = JSON.stringify(filter)
  useEffect(() => {
    const stop = new AbortController()
    const listen = async () => {
      const options = JSON.parse(key) as Omit<StreamOptions, 'signal'>
      for await (const event of api.stream({ ...options, signal: stop.signal })) {
        if (stop.signal.aborted) return
        latest.current(event)
      }
    }
    // A refusal (too many listen) leaves the page with its questions, which repeat themselves.
    listen().catch(() => {})
    return () => stop.abort()
  }, [key])
}
