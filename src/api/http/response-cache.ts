import type { CachedResponse } from './response.ts'

/** What was answered already, for as long as nothing it says can have changed. */
export type ResponseCache = {
  /** The answer that this very request target got. */
  readonly find: (target: string) => CachedResponse | undefined
  /** What the market is now; to be taken before an answer is made. */
  readonly stamp: () => string
  /** Keeps an answer that was begun at this stamp, unless the market has moved on since. */
  readonly keep: (target: string, answer: CachedResponse, begunAt: string) => void
}

/** Of a flood of different questions only the latest are kept. */
const answersMax = 512
/** With compressed twins about half as much again. */
const bytesMax = 32 * 1024 * 1024

/**
 * `stamp` must change whenever any answer might: with the store's revision, and with the second,
 * because ages and statuses are computed when they are read.
 */
export const createResponseCache = (stamp: () => string): ResponseCache => {
  const answers = new Map<string, CachedResponse>()
  let bytes = 0
  let current = ''

  const clear = (): void => {
    answers.clear()
    bytes = 0
  }

  const renew = (): string => {
    const now = stamp()
    if (now !== current) clear()
    current = now
    return now
  }

  return {
    find: (target) => {
      renew()
      return answers.get(target)
    },
    stamp,
    keep: (target, answer, begunAt) => {
      if (renew() !== begunAt || answer.bytes > bytesMax) return
      if (answers.size >= answersMax || bytes + answer.bytes > bytesMax) clear()
      answers.set(target, answer)
      bytes += answer.bytes
    },
  }
}
