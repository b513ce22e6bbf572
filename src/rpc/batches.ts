import { failure, type Outcome, success } from '../domain/outcome.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import { readQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'

export const chainIdCall: RpcCall = { method: 'eth_chainId', params: [] }

/** Reads the answer to `chainIdCall`: it must be the configured chain. */
const readChainId = (
  answer: RpcResponse | undefined,
  chainId: number,
): Outcome<number, RpcCallFault> => {
  if (answer?.ok === false) return answer
  const found = readQuantity(answer?.value)
  if (found === null) return malformed('no chain id')
  if (found === chainId) return success(found)
  const detail = `its chain id is ${found}, the network's is ${chainId}`
  return failure({ kind: 'wrong-chain', detail })
}

/** An endpoint may be pointed elsewhere while we run, so its proof does not hold for ever. */
const proofMs = 60_000

/** Makes sure that an endpoint serves the configured chain before anything it says is used. */
export type ChainIdCheck = {
  /** Reads the answer to a `chainIdCall` that travelled along. */
  readonly read: (answer: RpcResponse | undefined) => Outcome<number, RpcCallFault>
  /** Asks once for all who wait. */
  readonly verify: () => Promise<Outcome<number, RpcCallFault>>
  /** What was proved holds no longer. */
  readonly forget: () => void
}

export const createChainIdCheck = (deps: {
  readonly chainId: number
  readonly nowMs: () => number
  readonly ask: () => Promise<Outcome<RpcResponse | undefined, RpcCallFault>>
}): ChainIdCheck => {
  let provedAtMs: number | null = null
  let pending: Promise<Outcome<number, RpcCallFault>> | null = null

  const read = (answer: RpcResponse | undefined): Outcome<number, RpcCallFault> => {
    const outcome = readChainId(answer, deps.chainId)
    provedAtMs = outcome.ok ? deps.nowMs() : null
    return outcome
  }

  const askOnce = async (): Promise<Outcome<number, RpcCallFault>> => {
    const answer = await deps.ask()
    pending = null
    return answer.ok ? read(answer.value) : answer
  }

  return {
    read,
    verify: async () => {
      if (provedAtMs !== null && deps.nowMs() - provedAtMs < proofMs) return success(deps.chainId)
      pending ??= askOnce()
      return pending
    },
    forget: () => {
      provedAtMs = null
    },
  }
}

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
  ) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>
  /** Calls per request, as far as it is known. */
  readonly callsMax: () => number
}

export type Post = (
  calls: readonly RpcCall[],
  bytesMax: number,
) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>

/** Some endpoints refuse a long batch as a whole, others each call of it. */
const asWhole = (
  outcome: Outcome<readonly RpcResponse[], RpcCallFault>,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
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
      const answers: RpcResponse[] = []
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
