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

type Batch = {
  readonly messages: readonly Message[]
  /** The sequence of the last message before the batch. */
  readonly after: number
}

/** Work is measured in about microseconds; one slice delays requests by at most this much. */
const sliceWorkMax = 3000
const workPerWrite = 20
const bytesPerWork = 2048
const messagesPerWork = 20
/** As many as one store sync may publish. */
const queuedMax = 2000

/** Writes messages to the groups whose filters match; each step yields its amount of work. */
function* deliverTo(groups: ReadonlyMap<string, SubscriberGroup>, batch: Batch): Generator<number> {
  const { messages, after } = batch
  // Most groups match all messages and share these bytes.
  const allBytes = once(() => joinMessages(messages))
  for (const { filter, connections } of groups.values()) {
    const matching = messages.filter((message) => matchesFilter(message, filter))
    yield messages.length / messagesPerWork
    if (matching.length === 0) continue
    const bytes = matching.length === messages.length ? allBytes() : joinMessages(matching)
    for (const [connection, joinedAt] of connections) {
      // A connection that joined later has received them from the replay buffer.
      if (joinedAt <= after) connection.write(bytes)
      yield workPerWrite + bytes.length / bytesPerWork
    }
  }
}

/** Delivers in time slices, so that thousands of subscribers do not delay requests. */
export const createDelivery = (groups: ReadonlyMap<string, SubscriberGroup>) => {
  let running: Generator<number> | null = null
  let queued: Batch | null = null

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
    queued = null
    if (next !== null) start(next)
  }

  const start = (batch: Batch): void => {
    running = deliverTo(groups, batch)
    resume(running)
  }

  return (batch: Batch): void => {
    if (running === null) {
      start(batch)
      return
    }
    // Keeps the order: the queued batch starts when the running one has reached every group.
    const messages = [...(queued?.messages ?? []), ...batch.messages]
    queued = { messages, after: queued?.after ?? batch.after }
    if (messages.length <= queuedMax) return
    // Slices cannot keep up: deliver everything now, and the publisher waits.
    while (running !== null) resume(running, Number.POSITIVE_INFINITY)
  }
}
