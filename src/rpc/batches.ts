import { type Outcome, success } from '../domain/outcome.ts'
import { type ChainIdCheck, chainIdCall } from './chain-id-check.ts'
import type { RpcCallFault } from './classify-error.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

/** Sends calls in requests no longer than the endpoint takes, to the chain that is meant. */
export type Batches = {
  readonly send: (
    calls: readonly RpcCall[],
    options: {
      /** May be cut when the answer is too long, not only when the question is. */
      readonly splittable: boolean
      /** Of one answer. */
      readonly bytesMax: number
    },
  ) => Promise<Outcome<readonly NodeAnswer[], RpcCallFault>>
  /** Calls per request, as far as it is known. */
  readonly callsMax: () => number
}

export type Post = (
  calls: readonly RpcCall[],
  bytesMax: number,
) => Promise<Outcome<readonly NodeAnswer[], RpcCallFault>>

/** Some endpoints refuse a long batch as a whole, others each call of it. */
const asWhole = (
  outcome: Outcome<readonly NodeAnswer[], RpcCallFault>,
): Outcome<readonly NodeAnswer[], RpcCallFault> => {
  if (!outcome.ok) return outcome
  for (const answer of outcome.value) {
    if (!answer.ok && answer.fault.kind === 'batch-too-large') return answer
  }
  return outcome
}

const isTooLong = ({ kind }: RpcCallFault): boolean =>
  kind === 'too-large' || kind === 'range-too-large'

/** How many calls to try after `calls` were refused; null if fewer would not help. */
const fewer = (fault: RpcCallFault, calls: number, splittable: boolean): number | null => {
  if (calls <= 1) return null
  const half = Math.floor(calls / 2)
  if (fault.kind === 'batch-too-large') {
    return fault.callsMax === null ? half : Math.min(fault.callsMax, calls - 1)
  }
  // An endpoint without batches may say so in words that nobody knows.
  if (fault.kind === 'rejected') return half
  return isTooLong(fault) && splittable ? half : null
}

/** One call less may be taken. */
const mayBeOneTooMany = ({ kind }: RpcCallFault): boolean =>
  kind === 'batch-too-large' || kind === 'rejected'

/** What an endpoint says of batches is remembered (dRPC takes three calls). */
export const createBatches = (deps: {
  readonly post: Post
  readonly callsMax: number
  readonly proof: ChainIdCheck
}): Batches => {
  const { post, proof } = deps
  let learnt = deps.callsMax

  /**
   * The chain id travels along: nodes of several chains may stand behind one address, and what one
   * says of itself proves nothing of the next (methodology §7).
   */
  const postProved: Post = async (part, bytesMax) => {
    const sent = asWhole(await post([chainIdCall, ...part], bytesMax))
    if (!sent.ok) return sent
    const [id, ...answers] = sent.value
    const proved = proof.read(id)
    return proved.ok ? success(answers) : proved
  }

  /** Where it has no room it was asked for a moment ago: a cut question would be worse. */
  const postBare: Post = async (part, bytesMax) => {
    const proved = await proof.verify()
    return proved.ok ? asWhole(await post(part, bytesMax)) : proved
  }

  return {
    callsMax: () => learnt,
    send: async (calls, { splittable, bytesMax }) => {
      const answers: NodeAnswer[] = []
      let size = learnt
      let isProofRefused = false
      do {
        const part = calls.slice(answers.length, answers.length + size)
        const isBare = isProofRefused || part.length >= learnt
        const outcome = await (isBare ? postBare : postProved)(part, bytesMax)
        if (outcome.ok) {
          answers.push(...outcome.value)
          continue
        }
        if (!isBare && part.length > 0 && mayBeOneTooMany(outcome.fault)) {
          isProofRefused = true
          if (outcome.fault.kind === 'batch-too-large') {
            learnt = Math.min(outcome.fault.callsMax ?? part.length, part.length)
          }
          size = Math.min(size, learnt)
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
      } while (answers.length < calls.length)
      return success(answers)
    },
  }
}
