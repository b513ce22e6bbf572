import { failure, type Outcome, success } from '../domain/outcome.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import { readQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'

export const chainIdCall: RpcCall = { method: 'eth_chainId', params: [] }

/** Reads the response to `chainIdCall`, which must be the configured chain. */
const readChainId = (
  answer: RpcResponse | undefined,
  chainId: number,
): Outcome<number, RpcCallFault> => {
  if (answer?.ok === false) return answer
  const found = readQuantity(answer?.value)
  if (found === null) return malformed('response without a chain ID')
  if (found === chainId) return success(found)
  const detail = `chain ID is ${found}, expected ${chainId}`
  return failure({ kind: 'wrong-chain', detail })
}

/** An endpoint may be redirected to another chain, so a check expires. */
const verifiedMsMax = 60_000

/** Verifies that an endpoint serves the configured chain before its responses are used. */
export type ChainIdCheck = {
  /** Reads the response to a `chainIdCall` of the same request. */
  readonly read: (answer: RpcResponse | undefined) => Outcome<number, RpcCallFault>
  /** Sends one request for all concurrent callers. */
  readonly verify: () => Promise<Outcome<number, RpcCallFault>>
  readonly forget: () => void
}

export const createChainIdCheck = (deps: {
  readonly chainId: number
  readonly nowMs: () => number
  readonly requestChainId: () => Promise<Outcome<RpcResponse | undefined, RpcCallFault>>
}): ChainIdCheck => {
  let verifiedAtMs: number | null = null
  let pending: Promise<Outcome<number, RpcCallFault>> | null = null

  const read = (answer: RpcResponse | undefined): Outcome<number, RpcCallFault> => {
    const outcome = readChainId(answer, deps.chainId)
    verifiedAtMs = outcome.ok ? deps.nowMs() : null
    return outcome
  }

  const requestOnce = async (): Promise<Outcome<number, RpcCallFault>> => {
    const answer = await deps.requestChainId()
    pending = null
    return answer.ok ? read(answer.value) : answer
  }

  return {
    read,
    verify: async () => {
      if (verifiedAtMs !== null && deps.nowMs() - verifiedAtMs < verifiedMsMax)
        return success(deps.chainId)
      pending ??= requestOnce()
      return pending
    },
    forget: () => {
      verifiedAtMs = null
    },
  }
}

/** Sends calls in batches that the endpoint accepts, and verifies its chain ID. */
export type Batches = {
  readonly send: (
    calls: readonly RpcCall[],
    options: {
      /** May also be split when the response is too large. */
      readonly splittable: boolean
      /** Limit of one response body. */
      readonly bytesMax: number
    },
  ) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>
  /** Calls per request that the endpoint is known to accept. */
  readonly callsMax: () => number
}

export type Post = (
  calls: readonly RpcCall[],
  bytesMax: number,
) => Promise<Outcome<readonly RpcResponse[], RpcCallFault>>

/** Some endpoints reject a long batch, others each call of it. */
const liftBatchFault = (
  outcome: Outcome<readonly RpcResponse[], RpcCallFault>,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  if (!outcome.ok) return outcome
  for (const answer of outcome.value) {
    if (!answer.ok && answer.fault.kind === 'batch-too-large') return answer
  }
  return outcome
}

const isTooLarge = ({ kind }: RpcCallFault): boolean =>
  kind === 'too-large' || kind === 'range-too-large'

/** How many calls to try after `calls` were rejected; null if fewer would not help. */
const nextSize = (fault: RpcCallFault, calls: number, splittable: boolean): number | null => {
  if (calls <= 1) return null
  const half = Math.floor(calls / 2)
  if (fault.kind === 'batch-too-large') {
    return fault.callsMax === null ? half : Math.min(fault.callsMax, calls - 1)
  }
  // An endpoint without batch support may say so in an unknown text.
  if (fault.kind === 'rejected') return half
  return isTooLarge(fault) && splittable ? half : null
}

/** The added `chainIdCall` may have exceeded the batch limit. */
const mayBeOneTooMany = ({ kind }: RpcCallFault): boolean =>
  kind === 'batch-too-large' || kind === 'rejected'

/** Remembers the batch limit that an endpoint reports (dRPC accepts three calls). */
export const createBatches = (deps: {
  readonly post: Post
  readonly callsMax: number
  readonly chainIdCheck: ChainIdCheck
}): Batches => {
  const { post, chainIdCheck } = deps
  let callsMax = deps.callsMax

  /**
   * Requests the chain ID in the same batch: one URL may balance over nodes of several chains, so
   * only the node that responds can prove its chain (methodology §7).
   */
  const postWithChainId: Post = async (part, bytesMax) => {
    const sent = liftBatchFault(await post([chainIdCall, ...part], bytesMax))
    if (!sent.ok) return sent
    const [id, ...answers] = sent.value
    const verified = chainIdCheck.read(id)
    return verified.ok ? success(answers) : verified
  }

  /** A full batch relies on a recent check instead, because splitting it would be worse. */
  const postVerified: Post = async (part, bytesMax) => {
    const verified = await chainIdCheck.verify()
    return verified.ok ? liftBatchFault(await post(part, bytesMax)) : verified
  }

  return {
    callsMax: () => callsMax,
    send: async (calls, { splittable, bytesMax }) => {
      const answers: RpcResponse[] = []
      let size = callsMax
      let hasNoRoom = false
      do {
        const part = calls.slice(answers.length, answers.length + size)
        const isFull = hasNoRoom || part.length >= callsMax
        const outcome = await (isFull ? postVerified : postWithChainId)(part, bytesMax)
        if (outcome.ok) {
          answers.push(...outcome.value)
          continue
        }
        if (!isFull && part.length > 0 && mayBeOneTooMany(outcome.fault)) {
          hasNoRoom = true
          if (outcome.fault.kind === 'batch-too-large') {
            callsMax = Math.min(outcome.fault.callsMax ?? part.length, part.length)
          }
          size = Math.min(size, callsMax)
          continue
        }
        if (part.length === 1 && splittable && isTooLarge(outcome.fault)) {
          // Only this call fails; the remaining ones are sent as before.
          answers.push(outcome)
          size = callsMax
          continue
        }
        const next = nextSize(outcome.fault, part.length, splittable)
        if (next === null) return outcome
        if (outcome.fault.kind === 'batch-too-large') callsMax = next
        size = next
      } while (answers.length < calls.length)
      return success(answers)
    },
  }
}
