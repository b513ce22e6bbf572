import { useEffect, useRef } from 'preact/hooks'
import type { StreamEvent, StreamOptions } from '../../src/client/types.ts'
import { api } from './api.ts'

/** Less than anybody sees; what comes meanwhile is drawn at one go. */
const gatherMs = 50
/** A hidden page's timers sleep for a minute: so much is told without waiting for them. */
const gatheredMax = 500

/** Hands over what was added, together: once in a while, or when there is much of it. */
const createBatch = <T>(hand: (item: T) => void) => {
  let items: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const handed = items
    items = []
    for (const item of handed) hand(item)
  }
  return {
    add: (item: T) => {
      items.push(item)
      if (items.length >= gatheredMax) flush()
      else timer ??= setTimeout(flush, gatherMs)
    },
    drop: () => {
      clearTimeout(timer)
      items = []
    },
  }
}

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
    const batch = createBatch((event: StreamEvent) => latest.current(event))
    const listen = async () => {
      const options = JSON.parse(key) as Omit<StreamOptions, 'signal'>
      for await (const event of api.stream({ ...options, signal: stop.signal })) {
        if (stop.signal.aborted) return
        batch.add(event)
      }
    }
    // A refusal (too many listen) leaves the page with its questions, which repeat themselves.
    listen().catch(() => {})
    return () => {
      stop.abort()
      batch.drop()
    }
  }, [key])
}
