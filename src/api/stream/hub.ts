import type { News } from '../news.ts'
import { nameOfFilter, passes, type StreamFilter } from './filter.ts'
import { type Message, messageOf } from './messages.ts'
import { createRing } from './ring.ts'

/** Where messages go. */
export type Sink = {
  readonly write: (bytes: Buffer) => void
}

export type Hub = {
  readonly publish: (news: readonly News[]) => void
  /** Begins with what came after `lastEventId`, or says that some of it is gone. */
  readonly subscribe: (sink: Sink, filter: StreamFilter, lastEventId: string | null) => () => void
  /** To everybody, whatever they listen to. */
  readonly beat: () => void
  readonly size: () => number
}

const ringLimits = { messagesMax: 8192, bytesMax: 16 * 1024 * 1024 }

const beatBytes = Buffer.from(': still here\n\n')

type Group = { readonly filter: StreamFilter; readonly sinks: Set<Sink> }

const join = (messages: readonly Message[]): Buffer =>
  Buffer.concat(messages.map(({ bytes }) => bytes))

/**
 * Hands every event to everybody who wants it: written once, put together once for all who listen
 * to the same. `run` names this run of the service: event ids of another mean nothing here.
 */
export const createHub = (run: string): Hub => {
  const ring = createRing(ringLimits)
  const groups = new Map<string, Group>()
  let sequence = 0
  let size = 0

  const idOf = (number: number): string => `${run}-${number}`

  const sequenceOf = (lastEventId: string): number | null => {
    const [name, number = ''] = lastEventId.split('-')
    return name === run && /^[0-9]{1,15}$/.test(number) ? Number(number) : null
  }

  /** What somebody missed, if all of it is still there. */
  const missed = (lastEventId: string): readonly Message[] | null => {
    const last = sequenceOf(lastEventId)
    return last === null ? null : ring.after(last)
  }

  const greet = (sink: Sink, filter: StreamFilter, lastEventId: string | null): void => {
    // An id without data is remembered by the client, and dispatches nothing.
    const here = `id: ${idOf(sequence)}\n: listening\n\n`
    sink.write(Buffer.from(lastEventId === null ? `retry: 2000\n${here}` : 'retry: 2000\n\n'))
    if (lastEventId === null) return
    const messages = missed(lastEventId)
    if (messages === null) {
      const news: News = { topic: 'resync', data: { reason: 'events_missed' }, about: null }
      sink.write(messageOf(news, sequence, idOf(sequence)).bytes)
      return
    }
    const wanted = messages.filter((message) => passes(message, filter))
    if (wanted.length > 0) sink.write(join(wanted))
  }

  const groupOf = (filter: StreamFilter): Group => {
    const name = nameOfFilter(filter)
    const known = groups.get(name) ?? { filter, sinks: new Set() }
    groups.set(name, known)
    return known
  }

  return {
    publish: (news) => {
      const messages = news.map((each) => {
        sequence += 1
        return messageOf(each, sequence, idOf(sequence))
      })
      for (const message of messages) ring.add(message)
      for (const { filter, sinks } of groups.values()) {
        const wanted = messages.filter((message) => passes(message, filter))
        if (wanted.length === 0) continue
        const bytes = join(wanted)
        for (const sink of sinks) sink.write(bytes)
      }
    },
    subscribe: (sink, filter, lastEventId) => {
      greet(sink, filter, lastEventId)
      const group = groupOf(filter)
      group.sinks.add(sink)
      size += 1
      return () => {
        if (!group.sinks.delete(sink)) return
        size -= 1
        if (group.sinks.size === 0) groups.delete(nameOfFilter(filter))
      }
    },
    beat: () => {
      for (const { sinks } of groups.values()) for (const sink of sinks) sink.write(beatBytes)
    },
    size: () => size,
  }
}
