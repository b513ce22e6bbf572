import type { ChangeEvent, ChangeListener } from '../../market/changes.ts'
import type { Market } from '../../market/market.ts'
import { createDelivery, type StreamConnection, type SubscriberGroup } from './delivery.ts'
import { formatEventId } from './event-id.ts'
import { encodeMessage, filterKey, type StreamFilter } from './messages.ts'
import { createMissedMessages, type Published } from './missed-messages.ts'
import { createReplayBuffer } from './replay-buffer.ts'
import { createResume, type Subscriber } from './resume.ts'

export type Hub = {
  readonly publish: ChangeListener
  /** Replays the events after `lastEventId`, or sends `resync` if some of them are gone. */
  readonly subscribe: (
    connection: StreamConnection,
    filter: StreamFilter,
    lastEventId: string | null,
  ) => () => void
  readonly heartbeat: () => void
}

const replayLimits = { messagesMax: 8192, bytesMax: 16 * 1024 * 1024 }

const heartbeatText = ': still here\n\n'

/**
 * Distributes change events to subscribers. `runId` identifies this run of the service, in eight
 * hex digits. It knows its latest events; what came before them is read from the store.
 */
export const createHub = ({
  runId,
  readMissed,
}: {
  readonly runId: string
  readonly readMissed: Market['missedChanges']
}): Hub => {
  const buffer = createReplayBuffer(replayLimits)
  const groups = new Map<string, SubscriberGroup>()
  const delivery = createDelivery(groups)
  /** Subscribers that hear what is new, and those that are on the way there. */
  const joined = new Set<Subscriber>()
  const returning = new Set<Subscriber>()
  let published: Published = { sequence: 0, position: null }
  let hasPublished = false

  const publishedId = (): string => formatEventId({ run: runId, ...published })

  const resyncBytes = (): Buffer => {
    const event: ChangeEvent = { topic: 'resync', data: { reason: 'events_missed' }, about: null }
    return encodeMessage(event, { ...published, id: publishedId() }).bytes
  }

  const join = (subscriber: Subscriber): void => {
    const { connection, filter } = subscriber
    returning.delete(subscriber)
    joined.add(subscriber)
    const key = filterKey(filter)
    const group = groups.get(key) ?? { filter, connections: new Map() }
    groups.set(key, group)
    group.connections.set(connection, published.sequence)
  }

  const leave = (subscriber: Subscriber): void => {
    const { connection, filter } = subscriber
    returning.delete(subscriber)
    joined.delete(subscriber)
    const key = filterKey(filter)
    const group = groups.get(key)
    group?.connections.delete(connection)
    if (group?.connections.size === 0) groups.delete(key)
  }

  const missed = createMissedMessages({
    readMissed,
    published: () => published,
    isReplayable: (sequence) => buffer.after(sequence, 0) !== null,
  })
  const resume = createResume({
    runId,
    buffer,
    readMissed: async (from) => (hasPublished ? missed(from) : { kind: 'early' }),
    resyncBytes,
    join,
  })

  const greet = (subscriber: Subscriber, lastEventId: string | null): void => {
    // The client remembers an id without data but dispatches no event.
    const position = lastEventId === null ? `id: ${publishedId()}\n: listening\n` : ''
    subscriber.connection.write(Buffer.from(`retry: 2000\n${position}\n`))
    if (lastEventId === null) {
      join(subscriber)
      return
    }
    returning.add(subscriber)
    resume.start(subscriber, lastEventId)
  }

  /** Too much happened for events: everybody continues from the store, behind what it heard. */
  const skip = (): void => {
    const { sequence, position } = published
    delivery.flush()
    published = { sequence: sequence + 1, position }
    buffer.restart(published.sequence)
    for (const subscriber of [...joined]) {
      leave(subscriber)
      returning.add(subscriber)
      resume.continueFrom(subscriber, position)
    }
  }

  return {
    publish: (events, reached = null, hasGap = false) => {
      if (hasGap) skip()
      let { sequence } = published
      const messages = events.map((event) => {
        sequence += 1
        const position = event.position ?? reached
        const id = formatEventId({ run: runId, sequence, position })
        return encodeMessage(event, { sequence, position, id })
      })
      published = { sequence, position: reached }
      hasPublished = true
      for (const message of messages) buffer.add(message)
      if (messages.length > 0) delivery.deliver(messages)
      resume.retry()
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
      const silent = Buffer.from(heartbeatText)
      // Who hears nothing for long continues from here, not from its last event.
      const dated = Buffer.from(`id: ${publishedId()}\n${heartbeatText}`)
      for (const { connection } of returning) connection.write(silent)
      const bytes = delivery.isIdle() ? dated : silent
      for (const { connections } of groups.values())
        for (const connection of connections.keys()) connection.write(bytes)
    },
  }
}
