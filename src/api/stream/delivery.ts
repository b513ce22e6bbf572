import { once } from '../../util/cache.ts'
import { type Message, matchesFilter, type StreamFilter } from './messages.ts'

/** Where messages go. */
export type StreamConnection = {
  /** `then` follows once the bytes have left this process. */
  readonly write: (bytes: Buffer, then?: () => void) => void
}

/** Those who hear the same, each with the last message from before it joined. */
export type SubscriberGroup = {
  readonly filter: StreamFilter
  readonly sinks: Map<StreamConnection, number>
}

type Batch = {
  readonly messages: readonly Message[]
  /** The last message before them. */
  readonly after: number
}

/** Work is counted in about microseconds: requests wait for no more than this of it at once. */
const workMax = 3000
const workOfWrite = 20
const bytesPerWork = 2048
const messagesPerWork = 20
/** As many as one look at the market may bring. */
const waitingMax = 2000

export const bytesOf = (messages: readonly Message[]): Buffer => {
  const [first] = messages
  if (first !== undefined && messages.length === 1) return first.bytes
  return Buffer.concat(messages.map(({ bytes }) => bytes))
}

/** Brings messages to everybody who wants them; each step tells how much work it was. */
function* deliverTo(groups: ReadonlyMap<string, SubscriberGroup>, batch: Batch): Generator<number> {
  const { messages, after } = batch
  // For all groups that hear all of it: most do.
  const whole = once(() => bytesOf(messages))
  for (const { filter, sinks } of groups.values()) {
    const wanted = messages.filter((message) => matchesFilter(message, filter))
    yield messages.length / messagesPerWork
    if (wanted.length === 0) continue
    const bytes = wanted.length === messages.length ? whole() : bytesOf(wanted)
    for (const [sink, joinedAt] of sinks) {
      // Whoever came later has heard of them already.
      if (joinedAt <= after) sink.write(bytes)
      yield workOfWrite + bytes.length / bytesPerWork
    }
  }
}

/** Delivers in slices, so that nobody's request has to wait until thousands have heard. */
export const createDelivery = (groups: ReadonlyMap<string, SubscriberGroup>) => {
  let running: Generator<number> | null = null
  let waiting: Batch | null = null

  const advance = (steps: Generator<number>, limit: number): boolean => {
    for (let work = 0; work < limit; ) {
      const { done, value } = steps.next()
      if (done) return true
      work += value
    }
    return false
  }

  const goOn = (steps: Generator<number>, limit = workMax): void => {
    if (steps !== running) return
    if (!advance(steps, limit)) {
      setImmediate(goOn, steps)
      return
    }
    const next = waiting
    running = null
    waiting = null
    if (next !== null) begin(next)
  }

  const begin = (batch: Batch): void => {
    running = deliverTo(groups, batch)
    goOn(running)
  }

  return (batch: Batch): void => {
    if (running === null) {
      begin(batch)
      return
    }
    // In their order: the next begins when the last has reached everybody.
    const messages = [...(waiting?.messages ?? []), ...batch.messages]
    waiting = { messages, after: waiting?.after ?? batch.after }
    if (messages.length <= waitingMax) return
    // More news than can be told in slices: now the market has to wait until all is told.
    while (running !== null) goOn(running, Number.POSITIVE_INFINITY)
  }
}
