import { isApiError } from './api-error.ts'
import { type ClientOptions, delay, fetchOk } from './request.ts'
import { createSseParser } from './sse-parser.ts'
import type { StreamEvent, StreamOptions } from './types.ts'

/** The first and the longest wait between two attempts. */
const waitSecondsFirst = 0.5
const waitSecondsMax = 15
/** The service sends a heartbeat every 15 s; a stream that is silent for longer is dead. */
const silenceMsMax = 45_000

/** Aborts unless `reset` is called within every interval. */
const createWatchdog = (intervalMs: number) => {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the stream fell silent'))
  let timer = setTimeout(abort, intervalMs)
  return {
    signal: controller.signal,
    reset: () => {
      clearTimeout(timer)
      timer = setTimeout(abort, intervalMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Whether a retry cannot succeed. */
const isFinal = (error: unknown): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429

/**
 * Yields events until the signal aborts. After a broken connection it resumes behind the last
 * received event. Throws if the service rejects the request. Calls `onJoin` with each position that
 * it receives: from the first one on, no event is missed.
 */
export async function* streamEvents(
  base: string,
  { signal, topics, symbol, id, lastEventId }: StreamOptions,
  options: ClientOptions,
  onJoin = () => {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const filter = { topics: topics?.join(','), symbol, id }
  let lastId = lastEventId ?? ''
  let wait = waitSecondsFirst

  async function* readConnection(): AsyncGenerator<StreamEvent, void, undefined> {
    const watchdog = createWatchdog(silenceMsMax)
    try {
      const response = await fetchOk(base, options, {
        path: '/api/v1/stream',
        query: { ...filter, lastEventId: lastId === '' ? null : lastId },
        accept: 'text/event-stream',
        deadline: watchdog.signal,
        signal,
      })
      if (response.body === null) return
      const parse = createSseParser((received) => {
        lastId = received
        onJoin()
      }, lastId)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        watchdog.reset()
        wait = waitSecondsFirst
        for (const { event, data, id: eventId } of parse(next.value)) {
          yield { topic: event, data: JSON.parse(data), id: eventId } as StreamEvent
        }
      }
    } finally {
      watchdog.stop()
    }
  }

  const isStopped = (): boolean => signal?.aborted === true
  while (!isStopped()) {
    try {
      yield* readConnection()
    } catch (error) {
      if (isStopped()) return
      if (isFinal(error)) throw error
    }
    await delay(wait, signal).catch(() => {})
    wait = Math.min(waitSecondsMax, wait * 2)
  }
}
