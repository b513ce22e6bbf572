import type { ChangeEvent } from '../../market/changes.ts'
import { createDelivery, type StreamConnection, type SubscriberGroup } from './delivery.ts'
import {
  encodeMessage,
  filterKey,
  joinMessages,
  matchesFilter,
  type StreamFilter,
} from './messages.ts'
import { createReplayBuffer } from './replay-buffer.ts'

export type Hub = {
  readonly publish: (events: readonly ChangeEvent[]) => void
  /** Replays the events after `lastEventId`, or sends `resync` if some of them are gone. */
  readonly subscribe: (
    connection: StreamConnection,
    filter: StreamFilter,
    lastEventId: string | null,
  ) => () => void
  readonly heartbeat: () => void
}

const replayLimits = { messagesMax: 8192, bytesMax: 16 * 1024 * 1024 }

/** Replayed messages per write; the next ones follow when the client has read them. */
const replayBatchMax = 16

/** Replay batches of all subscribers between which requests are handled. */
const replayBatchesPerTurn = 4

const heartbeatBytes = Buffer.from(': still here\n\n')

type Subscriber = {
  readonly connection: StreamConnection
  readonly filter: StreamFilter
  hasLeft: boolean
}

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

/**
 * Distributes change events to subscribers. `runId` identifies this run of the service: event ids
 * of another run are unknown.
 */
export const createHub = (runId: string): Hub => {
  const replayBuffer = createReplayBuffer(replayLimits)
  const groups = new Map<string, SubscriberGroup>()
  const deliver = createDelivery(groups)
  const enqueue = createTaskQueue(replayBatchesPerTurn)
  let sequence = 0

  const eventId = (number: number): string => `${runId}-${number}`

  const parseEventId = (lastEventId: string): number | null => {
    const [run, number = ''] = lastEventId.split('-')
    return run === runId && /^[0-9]{1,15}$/.test(number) ? Number(number) : null
  }

  const resyncBytes = (): Buffer => {
    const event: ChangeEvent = { topic: 'resync', data: { reason: 'events_missed' }, about: null }
    return encodeMessage(event, sequence, eventId(sequence)).bytes
  }

  const join = ({ connection, filter }: Subscriber): void => {
    const key = filterKey(filter)
    const group = groups.get(key) ?? { filter, connections: new Map() }
    groups.set(key, group)
    group.connections.set(connection, sequence)
  }

  const leave = ({ connection, filter }: Subscriber): void => {
    const key = filterKey(filter)
    const group = groups.get(key)
    group?.connections.delete(connection)
    if (group?.connections.size === 0) groups.delete(key)
  }

  /**
   * Replays the messages after a sequence at the client's reading speed, then joins. Copying them
   * for each reconnecting client at once would add up; the buffer holds them once.
   */
  const replay = (subscriber: Subscriber, from: number | null): void => {
    if (subscriber.hasLeft) return
    const { connection, filter } = subscriber
    const batch = from === null ? null : replayBuffer.after(from, replayBatchMax)
    const last = batch?.at(-1)
    if (batch === null || last === undefined) {
      if (batch === null) connection.write(resyncBytes())
      join(subscriber)
      return
    }
    const resume = (): void => enqueue(() => replay(subscriber, last.sequence))
    const matching = batch.filter((message) => matchesFilter(message, filter))
    if (matching.length === 0) resume()
    else connection.write(joinMessages(matching), resume)
  }

  const greet = (subscriber: Subscriber, lastEventId: string | null): void => {
    // The client remembers an id without data but dispatches no event.
    const position = lastEventId === null ? `id: ${eventId(sequence)}\n: listening\n` : ''
    subscriber.connection.write(Buffer.from(`retry: 2000\n${position}\n`))
    if (lastEventId === null) join(subscriber)
    else enqueue(() => replay(subscriber, parseEventId(lastEventId)))
  }

  return {
    publish: (events) => {
      const messages = events.map((event) => {
        sequence += 1
        return encodeMessage(event, sequence, eventId(sequence))
      })
      for (const message of messages) replayBuffer.add(message)
      deliver(messages)
    },
    subscribe: (connection, filter, lastEventId) => {
      const subscriber = { connection, filter, hasLeft: false }
      greet(subscriber, lastEventId)
      return () => {
        if (subscriber.hasLeft) return
        subscriber.hasLeft = true
        leave(subscriber)
      }
    },
    heartbeat: () => {
      for (const { connections } of groups.values())
        for (const connection of connections.keys()) connection.write(heartbeatBytes)
    },
  }
}
