import type { Outcome } from '../../domain/outcome.ts'
import type { Timer } from '../../net/timer.ts'
import type { OpenReader } from './open-store.ts'

/** A store that is not there is not asked more often, however many want to read. */
const waitMs = 1_000

/**
 * A reader of a store that may not be there yet: opened by the first who reads, and tried again
 * until it is. A snapshot rejects meanwhile, as it does when an open store fails.
 */
export const createRetryingReader = (
  open: () => Promise<Outcome<OpenReader, string>>,
  timer: Pick<Timer, 'nowMs'>,
): OpenReader => {
  let opening: Promise<Outcome<OpenReader, string>> | null = null
  let retryMs = Number.POSITIVE_INFINITY
  let held: OpenReader | null = null
  let isClosed = false

  const attempt = async (): Promise<Outcome<OpenReader, string>> => {
    const reader = await open()
    if (!reader.ok) retryMs = timer.nowMs() + waitMs
    else if (isClosed) await reader.value.close()
    else held = reader.value
    return reader
  }

  const opened = async (): Promise<OpenReader> => {
    if (opening === null || timer.nowMs() >= retryMs) {
      retryMs = Number.POSITIVE_INFINITY
      opening = attempt()
    }
    const reader = await opening
    if (!reader.ok) throw new Error(reader.fault)
    return reader.value
  }

  return {
    snapshot: async (read) => (await opened()).snapshot(read),
    close: async () => {
      isClosed = true
      // One that is only being opened is not waited for: its store may never answer.
      await held?.close()
    },
  }
}
