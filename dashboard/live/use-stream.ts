import { useEffect, useRef } from 'preact/hooks'
import type { StreamEvent, StreamOptions } from '../../src/client/types.ts'
import { api } from './api.ts'

/** Below what a reader notices; events within it are rendered together. */
const batchMs = 50
/** A hidden page's timers sleep for a minute; a full batch does not wait for them. */
const batchMax = 500

/** Delivers items in batches, after an interval or when the batch is full. */
const createBatch = <T>(deliver: (item: T) => void) => {
  let items: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const delivered = items
    items = []
    for (const item of delivered) deliver(item)
  }
  return {
    add: (item: T) => {
      items.push(item)
      if (items.length >= batchMax) flush()
      else timer ??= setTimeout(flush, batchMs)
    },
    drop: () => {
      clearTimeout(timer)
      items = []
    },
  }
}

/** Subscribes until the component unmounts; the client reconnects a broken stream. */
export const useStream = (
  filter: Omit<StreamOptions, 'signal'>,
  onEvent: (event: StreamEvent) => void,
): void => {
  const latest = useRef(onEvent)
  latest.current = onEvent
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
    // Without a stream (too many subscribers) the page still polls.
    listen().catch(() => {})
    return () => {
      stop.abort()
      batch.drop()
    }
  }, [key])
}
