import type { Message } from './messages.ts'

/** The last messages, for whoever was away for a moment. */
export type ReplayBuffer = {
  readonly add: (message: Message) => void
  /**
   * Those after this one, oldest first, at most `countMax`; null if some of them are gone, or it
   * never was.
   */
  readonly after: (sequence: number, countMax: number) => readonly Message[] | null
}

export const createReplayBuffer = (limits: {
  readonly messagesMax: number
  readonly bytesMax: number
}): ReplayBuffer => {
  let messages: Message[] = []
  let bytes = 0
  let last = 0

  /** Half at once, so that adding costs the same on average however full it is. */
  const shed = (): void => {
    const kept = messages.slice(Math.ceil(messages.length / 2))
    messages = kept
    bytes = kept.reduce((sum, each) => sum + each.bytes.length, 0)
  }

  return {
    add: (message) => {
      messages.push(message)
      bytes += message.bytes.length
      last = message.sequence
      while (messages.length > limits.messagesMax || bytes > limits.bytesMax) shed()
    },
    after: (sequence, countMax) => {
      if (sequence > last) return null
      const first = messages[0]?.sequence ?? last + 1
      // Sequences have no gaps.
      const at = sequence + 1 - first
      return at < 0 ? null : messages.slice(at, at + countMax)
    },
  }
}
