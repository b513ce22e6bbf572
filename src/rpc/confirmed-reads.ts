import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Timer } from '../net/timer.ts'
import type { RpcCallFault } from './classify-error.ts'

/** One result per item, in order, of the state after a block. */
export type StateRead<Item, At, Result> = (
  items: readonly Item[],
  at: At,
) => Promise<Outcome<readonly Result[], RpcCallFault>>

/** What a result proves. */
export type Proofs<Result> = {
  /** Data that a node without the contract's state cannot return. */
  readonly isProof: (result: Result) => boolean
  /** The result of a refused call. */
  readonly unanswered: Result
}

/** Two calls to one endpoint are this far apart: it may recover in between. */
const apartMs = 500
const readingsMin = 2

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A proof counts; what all readings lack counts if they agree; else nothing is known. */
const settle = <Result>(
  readings: readonly (Result | undefined)[],
  { isProof, unanswered }: Proofs<Result>,
): Result => {
  const [first, ...others] = readings
  const proof = readings.find((each) => each !== undefined && isProof(each))
  if (proof !== undefined) return proof
  const isAgreed = others.length > 0 && others.every((other) => isSame(first, other))
  return isAgreed && first !== undefined ? first : unanswered
}

/**
 * Reads the same state again where the first result has no data: an empty word or a revert is also
 * what a node returns that lacks the state. It counts only by two calls at the same block, of two
 * endpoints where there are two, else some time apart (methodology §7).
 */
export const createConfirmedRead = <Item, At, Result>(deps: {
  /** One reader per endpoint, which does not wait for a cooldown. */
  readonly single: readonly StateRead<Item, At, Result>[]
  /** Reads from any endpoint of the pool. */
  readonly pooled: StateRead<Item, At, Result>
  readonly proofs: Proofs<Result>
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}): StateRead<Item, At, Result> => {
  const { single, pooled, proofs, timer, signal } = deps

  const readTwice = async (
    items: readonly Item[],
    at: At,
    before: readonly Result[],
  ): Promise<readonly (readonly Result[])[]> => {
    const readings: (readonly Result[])[] = single.length < readingsMin ? [before] : []
    if (single.length >= readingsMin) {
      for (const read of single) {
        const answer = await read(items, at)
        if (answer.ok) readings.push(answer.value)
        if (readings.length === readingsMin) return readings
      }
    }
    await timer.sleep(apartMs, signal)
    const later = await pooled(items, at)
    return later.ok ? [...readings, later.value] : readings
  }

  return async (items, at) => {
    const first = await pooled(items, at)
    if (!first.ok) return failure(first.fault)
    const doubtful = [...items.keys()].filter((i) => {
      const result = first.value[i]
      return result === undefined || !proofs.isProof(result)
    })
    if (doubtful.length === 0) return first
    const before = doubtful.map((i) => first.value[i] ?? proofs.unanswered)
    const doubtfulItems = doubtful.flatMap((i) => items.slice(i, i + 1))
    const readings = await readTwice(doubtfulItems, at, before)
    const results = [...first.value]
    for (const [position, i] of doubtful.entries()) {
      results[i] = settle(
        readings.map((reading) => reading[position]),
        proofs,
      )
    }
    return success(results)
  }
}
