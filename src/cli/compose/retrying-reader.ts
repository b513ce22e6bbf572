import type { Outcome } from '../../domain/outcome.ts'
import type { Timer } from '../../net/timer.ts'
import type { OpenReader } from './open-store.ts'

/** Minimum time between attempts to open the store, for all callers together. */
const retryWaitMs = 1_000

/**
 * Reads a store that may not be available yet: the first read opens it, later ones retry. Until
 * then `snapshot` rejects, as it does when an open store fails.
 */
export const createRetryingReader = (
  open: () => Promise<Outcome<OpenReader, string>>,
  timer: Pick<Timer, 'nowMs'>,
): OpenReader => {
  let opening: Promise<Outcome<OpenReader, string>> | null = null
  let retryMs = Number.POSITIVE_INFINITY
  let openReader: OpenReader | null = null
  let isClosed = false

  const attempt = async (): Promise<Outcome<OpenReader, string>> => {
    const reader = await open()
    if (!reader.ok) retryMs = timer.nowMs() + retryWaitMs
    else if (isClosed) await reader.value.close()
    else openReader = reader.value
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
      // A reader that is still opening is not awaited: its store may never respond.
      await openReader?.close()
    },
  }
}
