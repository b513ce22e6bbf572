import { apiErrorOf, isApiError } from './api-error.ts'
import { type ClientOptions, delay, targetOf } from './request.ts'
import { createSseParser } from './sse-parser.ts'
import type { StreamEvent, StreamOptions } from './types.ts'

/** First, and at most, between two attempts. */
const waitSecondsFirst = 0.5
const waitSecondsMax = 15
/** The service speaks every 15 s: a stream that is silent for longer is dead. */
const silenceMsMax = 45_000

/** Aborts when it has not been poked for so long. */
const createWatchdog = (milliseconds: number) => {
  const controller = new AbortController()
  const bite = () => controller.abort(new Error('the stream fell silent'))
  let timer = setTimeout(bite, milliseconds)
  return {
    signal: controller.signal,
    poke: () => {
      clearTimeout(timer)
      timer = setTimeout(bite, milliseconds)
    },
    end: () => clearTimeout(timer),
  }
}

/** A refusal that no waiting will change. */
const isFinal = (error: unknown): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429

/**
 * Events as they come, for ever: a broken connection is taken up again after the last event that
 * was heard. Ends with the signal; a question that is refused throws.
 */
export async function* listen(
  base: string,
  { signal, topics, symbol, id, lastEventId }: StreamOptions,
  options: ClientOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const filter = { topics: topics?.join(','), symbol, id }
  let last = lastEventId ?? ''
  let wait = waitSecondsFirst

  async function* readOnce(): AsyncGenerator<StreamEvent, void, undefined> {
    const watchdog = createWatchdog(silenceMsMax)
    try {
      const either =
        signal === undefined ? watchdog.signal : AbortSignal.any([signal, watchdog.signal])
      const resume = last === '' ? {} : { lastEventId: last }
      const target = targetOf(base, '/api/v1/stream', { ...filter, ...resume })
      const headers = { accept: 'text/event-stream', ...options.headers }
      const reply = await send(target, { headers, signal: either })
      if (!reply.ok || reply.body === null) throw await apiErrorOf(reply)
      const read = createSseParser((heard) => {
        last = heard
      })
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        watchdog.poke()
        wait = waitSecondsFirst
        for (const { event, data, id: eventId } of read(next.value)) {
          yield { topic: event, data: JSON.parse(data), id: eventId } as StreamEvent
        }
      }
    } finally {
      watchdog.end()
    }
  }

  const isStopped = (): boolean => signal?.aborted === true
  while (!isStopped()) {
    try {
      yield* readOnce()
    } catch (error) {
      if (isStopped()) return
      if (isFinal(error)) throw error
    }
    await delay(wait, signal).catch(() => {})
    wait = Math.min(waitSecondsMax, wait * 2)
  }
}
