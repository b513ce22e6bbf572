import type { ChangeEvent } from '../../market/changes.ts'
import { bytesOf, createDelivery, type StreamConnection, type SubscriberGroup } from './delivery.ts'
import { filterKey, matchesFilter, messageOf, type StreamFilter } from './messages.ts'
import { createReplayBuffer } from './replay-buffer.ts'

export type Hub = {
  readonly publish: (news: readonly ChangeEvent[]) => void
  /** Begins with what came after `lastEventId`, or says that some of it is gone. */
  readonly subscribe: (
    sink: StreamConnection,
    filter: StreamFilter,
    lastEventId: string | null,
  ) => () => void
  /** To everybody, whatever they listen to. */
  readonly heartbeat: () => void
  readonly size: () => number
}

const ringLimits = { messagesMax: 8192, bytesMax: 16 * 1024 * 1024 }

/** Missed messages that go out at once; the next follow when they have been read. */
const portionMax = 16

/** Portions of all together between which requests are answered. */
const portionsPerTurn = 4

const beatBytes = Buffer.from(': still here\n\n')

type Listener = { readonly sink: StreamConnection; readonly filter: StreamFilter; hasLeft: boolean }

/** Does things one after the other, a few at a time. */
const createQueue = (perTurn: number): ((act: () => void) => void) => {
  const waiting: (() => void)[] = []
  const take = (): void => {
    for (const act of waiting.splice(0, perTurn)) act()
    if (waiting.length > 0) setImmediate(take)
  }
  return (act) => {
    waiting.push(act)
    if (waiting.length === 1) setImmediate(take)
  }
}

/**
 * Hands every event to everybody who wants it. `run` names this run of the service: event ids of
 * another mean nothing here.
 */
export const createHub = (run: string): Hub => {
  const ring = createReplayBuffer(ringLimits)
  const groups = new Map<string, SubscriberGroup>()
  const deliver = createDelivery(groups)
  const inQueue = createQueue(portionsPerTurn)
  let sequence = 0
  let size = 0

  const idOf = (number: number): string => `${run}-${number}`

  const sequenceOf = (lastEventId: string): number | null => {
    const [name, number = ''] = lastEventId.split('-')
    return name === run && /^[0-9]{1,15}$/.test(number) ? Number(number) : null
  }

  const resyncBytes = (): Buffer => {
    const news: ChangeEvent = { topic: 'resync', data: { reason: 'events_missed' }, about: null }
    return messageOf(news, sequence, idOf(sequence)).bytes
  }

  /** From now on it hears what all hear. */
  const join = ({ sink, filter }: Listener): void => {
    const name = filterKey(filter)
    const group = groups.get(name) ?? { filter, sinks: new Map() }
    groups.set(name, group)
    group.sinks.set(sink, sequence)
  }

  const leave = ({ sink, filter }: Listener): void => {
    const name = filterKey(filter)
    const group = groups.get(name)
    group?.sinks.delete(sink)
    if (group?.sinks.size === 0) groups.delete(name)
  }

  /**
   * Sends what came after a message that the listener has, no faster than it is read: the ring
   * holds it once for all, where copies for each who came back would add up.
   */
  const catchUp = (listener: Listener, from: number | null): void => {
    if (listener.hasLeft) return
    const { sink, filter } = listener
    const portion = from === null ? null : ring.after(from, portionMax)
    const last = portion?.at(-1)
    if (portion === null || last === undefined) {
      if (portion === null) sink.write(resyncBytes())
      join(listener)
      return
    }
    const goOn = (): void => inQueue(() => catchUp(listener, last.sequence))
    const wanted = portion.filter((message) => matchesFilter(message, filter))
    if (wanted.length === 0) goOn()
    else sink.write(bytesOf(wanted), goOn)
  }

  const greet = (listener: Listener, lastEventId: string | null): void => {
    // An id without data is remembered by the client, and dispatches nothing.
    const here = lastEventId === null ? `id: ${idOf(sequence)}\n: listening\n` : ''
    listener.sink.write(Buffer.from(`retry: 2000\n${here}\n`))
    if (lastEventId === null) join(listener)
    else inQueue(() => catchUp(listener, sequenceOf(lastEventId)))
  }

  return {
    publish: (news) => {
      const after = sequence
      const messages = news.map((each) => {
        sequence += 1
        return messageOf(each, sequence, idOf(sequence))
      })
      for (const message of messages) ring.add(message)
      deliver({ messages, after })
    },
    subscribe: (sink, filter, lastEventId) => {
      const listener = { sink, filter, hasLeft: false }
      size += 1
      greet(listener, lastEventId)
      return () => {
        if (listener.hasLeft) return
        listener.hasLeft = true
        size -= 1
        leave(listener)
      }
    },
    heartbeat: () => {
      for (const { sinks } of groups.values())
        for (const sink of sinks.keys()) sink.write(beatBytes)
    },
    size: () => size,
  }
}
