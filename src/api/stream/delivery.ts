import { once } from '../../util/cache.ts'
import { joinMessages, type Message, matchesFilter, type StreamFilter } from './messages.ts'

export type StreamConnection = {
  /** Calls `then` once the bytes have left this process. */
  readonly write: (bytes: Buffer, then?: () => void) => void
}

/** The connections of one filter, each with the sequence of the last message before it joined. */
export type SubscriberGroup = {
  readonly filter: StreamFilter
  readonly connections: Map<StreamConnection, number>
}

/** Work is measured in about microseconds; one slice delays requests by at most this much. */
const sliceWorkMax = 3000
const workPerWrite = 20
const bytesPerWork = 2048
const messagesPerWork = 20
/** As many as one store sync may publish. */
const queuedMax = 2000

/** A connection that joined late has received the earlier messages from the replay buffer. */
const writeLater = (
  connection: StreamConnection,
  messages: readonly Message[],
  joinedAt: number,
): void => {
  const own = messages.filter(({ sequence }) => sequence > joinedAt)
  if (own.length > 0) connection.write(joinMessages(own))
}

/** Writes messages to the groups whose filters match; each step yields its amount of work. */
function* deliverTo(
  groups: ReadonlyMap<string, SubscriberGroup>,
  messages: readonly Message[],
): Generator<number> {
  // Most groups match all messages and share these bytes.
  const allBytes = once(() => joinMessages(messages))
  for (const { filter, connections } of groups.values()) {
    const matching = messages.filter((message) => matchesFilter(message, filter))
    yield messages.length / messagesPerWork
    if (matching.length === 0) continue
    const bytes = matching.length === messages.length ? allBytes() : joinMessages(matching)
    const first = matching[0]?.sequence ?? 0
    for (const [connection, joinedAt] of connections) {
      if (joinedAt < first) connection.write(bytes)
      else writeLater(connection, matching, joinedAt)
      yield workPerWrite + bytes.length / bytesPerWork
    }
  }
}

/** Delivers in time slices, so that thousands of subscribers do not delay requests. */
export const createDelivery = (groups: ReadonlyMap<string, SubscriberGroup>) => {
  let running: Generator<number> | null = null
  let queued: readonly Message[] = []

  /** Returns whether the delivery is complete. */
  const advance = (steps: Generator<number>, workMax: number): boolean => {
    for (let work = 0; work < workMax; ) {
      const { done, value } = steps.next()
      if (done) return true
      work += value
    }
    return false
  }

  const resume = (steps: Generator<number>, workMax = sliceWorkMax): void => {
    if (steps !== running) return
    if (!advance(steps, workMax)) {
      setImmediate(resume, steps)
      return
    }
    const next = queued
    running = null
    queued = []
    if (next.length > 0) start(next)
  }

  const start = (messages: readonly Message[]): void => {
    running = deliverTo(groups, messages)
    resume(running)
  }

  /** Delivers everything now, and the publisher waits. */
  const flush = (): void => {
    while (running !== null) resume(running, Number.POSITIVE_INFINITY)
  }

  return {
    /** Whether everything is delivered. */
    isIdle: (): boolean => running === null,
    flush,
    deliver: (messages: readonly Message[]): void => {
      if (running === null) {
        start(messages)
        return
      }
      // Keeps the order: the queued ones start when the running ones have reached every group.
      queued = [...queued, ...messages]
      // Else slices cannot keep up.
      if (queued.length > queuedMax) flush()
    },
  }
}
