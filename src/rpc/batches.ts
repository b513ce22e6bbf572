import { type Outcome, success } from '../domain/outcome.ts'
import type { NodeFault } from './faults.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

/** Sends calls in requests no longer than the endpoint takes. */
export type Batches = {
  readonly send: (
    calls: readonly RpcCall[],
    options: {
      /** May be cut when the answer is too long, not only when the question is. */
      readonly splittable: boolean
      /** Of one answer. */
      readonly bytesMax: number
    },
  ) => Promise<Outcome<readonly NodeAnswer[], NodeFault>>
  /** Calls per request, as far as it is known. */
  readonly callsMax: () => number
}

export type Post = (
  calls: readonly RpcCall[],
  bytesMax: number,
) => Promise<Outcome<readonly NodeAnswer[], NodeFault>>

/** Some endpoints refuse a long batch as a whole, others each call of it. */
const asWhole = (
  outcome: Outcome<readonly NodeAnswer[], NodeFault>,
): Outcome<readonly NodeAnswer[], NodeFault> => {
  if (!outcome.ok) return outcome
  for (const answer of outcome.value) {
    if (!answer.ok && answer.fault.kind === 'batch-too-large') return answer
  }
  return outcome
}

const isTooLong = ({ kind }: NodeFault): boolean =>
  kind === 'too-large' || kind === 'range-too-large'

/** How many calls to try after `calls` were refused; null if fewer would not help. */
const fewer = (fault: NodeFault, calls: number, splittable: boolean): number | null => {
  if (calls <= 1) return null
  const half = Math.floor(calls / 2)
  if (fault.kind === 'batch-too-large') {
    return fault.callsMax === null ? half : Math.min(fault.callsMax, calls - 1)
  }
  // An endpoint without batches may say so in words that nobody knows.
  if (fault.kind === 'rejected') return half
  return isTooLong(fault) && splittable ? half : null
}

/** What an endpoint says of batches is remembered (dRPC takes three calls). */
export const createBatches = (deps: {
  readonly post: Post
  readonly callsMax: number
}): Batches => {
  let learnt = deps.callsMax
  return {
    callsMax: () => learnt,
    send: async (calls, { splittable, bytesMax }) => {
      const answers: NodeAnswer[] = []
      let size = learnt
      while (answers.length < calls.length) {
        const part = calls.slice(answers.length, answers.length + size)
        const outcome = asWhole(await deps.post(part, bytesMax))
        if (outcome.ok) {
          answers.push(...outcome.value)
          continue
        }
        if (part.length === 1 && splittable && isTooLong(outcome.fault)) {
          // Found the one: it fails alone, and the rest goes on as before.
          answers.push(outcome)
          size = learnt
          continue
        }
        const next = fewer(outcome.fault, part.length, splittable)
        if (next === null) return outcome
        if (outcome.fault.kind === 'batch-too-large') learnt = next
        size = next
      }
      return success(answers)
    },
  }
}
