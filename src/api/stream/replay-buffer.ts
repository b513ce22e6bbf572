import type { Message } from './messages.ts'

/** The latest messages, for subscribers that reconnect. */
export type ReplayBuffer = {
  readonly add: (message: Message) => void
  /** Discards all messages; the next one follows `sequence`, which no message has. */
  readonly restart: (sequence: number) => void
  /**
   * Returns at most `countMax` messages after `sequence`, oldest first; null if some of them have
   * been discarded or the sequence is unknown.
   */
  readonly after: (sequence: number, countMax: number) => readonly Message[] | null
}

export const createReplayBuffer = (limits: {
  readonly messagesMax: number
  readonly bytesMax: number
}): ReplayBuffer => {
  let messages: Message[] = []
  let bytes = 0
  let lastSequence = 0

  /** Discards half at once, so that the average cost of adding is constant. */
  const discardHalf = (): void => {
    messages = messages.slice(Math.ceil(messages.length / 2))
    bytes = messages.reduce((sum, message) => sum + message.bytes.length, 0)
  }

  return {
    add: (message) => {
      messages.push(message)
      bytes += message.bytes.length
      lastSequence = message.sequence
      while (messages.length > limits.messagesMax || bytes > limits.bytesMax) discardHalf()
    },
    restart: (sequence) => {
      messages = []
      bytes = 0
      lastSequence = sequence
    },
    after: (sequence, countMax) => {
      if (sequence > lastSequence) return null
      const firstSequence = messages[0]?.sequence ?? lastSequence + 1
      // Sequences have no gaps.
      const index = sequence + 1 - firstSequence
      return index < 0 ? null : messages.slice(index, index + countMax)
    },
  }
}
