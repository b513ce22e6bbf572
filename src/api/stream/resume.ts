import type { StreamPosition } from '../../market/stream-position.ts'
import type { StreamConnection } from './delivery.ts'
import { formatEventId, parseEventId } from './event-id.ts'
import { joinMessages, type Message, matchesFilter, type StreamFilter } from './messages.ts'
import type { MissedMessages } from './missed-messages.ts'
import type { ReplayBuffer } from './replay-buffer.ts'

export type Subscriber = {
  readonly connection: StreamConnection
  readonly filter: StreamFilter
  hasLeft: boolean
}

/** Replayed messages per write; the next ones follow when the client has read them. */
const replayBatchMax = 16

/** Replay batches of all subscribers between which requests are handled. */
const replayBatchesPerTurn = 4

/** Publications that a subscriber waits for: of a poll every 200 ms those of 20 seconds. */
const waitsMax = 100

/** Runs tasks in order, `perTurn` of them in one turn of the event loop. */
const createTaskQueue = (perTurn: number): ((task: () => void) => void) => {
  const waiting: (() => void)[] = []
  const run = (): void => {
    for (const task of waiting.splice(0, perTurn)) task()
    if (waiting.length > 0) setImmediate(run)
  }
  return (task) => {
    waiting.push(task)
    if (waiting.length === 1) setImmediate(run)
  }
}

type ResumeDeps = {
  readonly runId: string
  readonly buffer: ReplayBuffer
  readonly readMissed: (from: StreamPosition) => Promise<MissedMessages>
  readonly resyncBytes: () => Buffer
  /** Later messages are delivered. */
  readonly join: (subscriber: Subscriber) => void
}

/** Where a subscriber is; a sequence of this run is exact, else the store knows what it missed. */
type Reached = { readonly sequence: number | null; readonly position: StreamPosition | null }

/** Brings subscribers that return to the present, at their reading speed, and lets them join. */
export const createResume = ({ runId, buffer, readMissed, resyncBytes, join }: ResumeDeps) => {
  const enqueue = createTaskQueue(replayBatchesPerTurn)
  let waiting: (() => void)[] = []

  const giveUp = (subscriber: Subscriber): void => {
    subscriber.connection.write(resyncBytes())
    join(subscriber)
  }

  /** Copying messages for each subscriber at once would add up; they are held once. */
  const send = (subscriber: Subscriber, messages: readonly Message[], then: () => void): void => {
    if (subscriber.hasLeft) return
    if (messages.length === 0) {
      enqueue(then)
      return
    }
    const bytes = joinMessages(messages.slice(0, replayBatchMax))
    subscriber.connection.write(bytes, () => {
      enqueue(() => send(subscriber, messages.slice(replayBatchMax), then))
    })
  }

  const sendMatching = (
    subscriber: Subscriber,
    messages: readonly Message[],
    then: () => void,
  ): void =>
    send(
      subscriber,
      messages.filter((message) => matchesFilter(message, subscriber.filter)),
      then,
    )

  const replayStored = async (
    subscriber: Subscriber,
    from: StreamPosition,
    waits = 0,
  ): Promise<void> => {
    const missed = await readMissed(from)
    if (subscriber.hasLeft) return
    if (missed.kind === 'early' && waits < waitsMax) {
      waiting.push(() => replayStored(subscriber, from, waits + 1))
      return
    }
    if (missed.kind !== 'step') {
      giveUp(subscriber)
      return
    }
    const { sequence, position, messages } = missed
    sendMatching(subscriber, messages, () => {
      if (sequence === null) {
        replayStored(subscriber, position)
        return
      }
      // The client remembers an id without data but dispatches no event.
      const id = formatEventId({ run: runId, sequence, position })
      subscriber.connection.write(Buffer.from(`id: ${id}\n\n`))
      replay(subscriber, { sequence, position })
    })
  }

  const replay = (subscriber: Subscriber, { sequence, position }: Reached): void => {
    if (subscriber.hasLeft) return
    const batch = sequence === null ? null : buffer.after(sequence, replayBatchMax)
    const last = batch?.at(-1)
    if (batch !== null && last !== undefined) {
      sendMatching(subscriber, batch, () => replay(subscriber, last))
      return
    }
    if (batch !== null) join(subscriber)
    else if (position === null) giveUp(subscriber)
    else replayStored(subscriber, position)
  }

  return {
    start: (subscriber: Subscriber, lastEventId: string): void => {
      const id = parseEventId(lastEventId)
      const sequence = id?.run === runId ? id.sequence : null
      enqueue(() => replay(subscriber, { sequence, position: id?.position ?? null }))
    },
    /** The events after the position are in the store only. */
    continueFrom: (subscriber: Subscriber, position: StreamPosition | null): void =>
      enqueue(() => replay(subscriber, { sequence: null, position })),
    /** Those who wait for a publication try again. */
    retry: (): void => {
      const tasks = waiting
      waiting = []
      for (const task of tasks) enqueue(task)
    },
  }
}
