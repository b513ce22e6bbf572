import { failure, type Outcome } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import { hostOf } from '../net/http-client.ts'
import type { Timer } from '../net/timer.ts'
import type { Logger } from '../ports/runtime.ts'
import { chainIdCall, createBatches, createChainIdCheck, type Post } from './batches.ts'
import type { RpcCallFault } from './classify-error.ts'
import {
  createEndpointStats,
  createHeadTracker,
  type EndpointState,
  type FaultCounts,
} from './endpoint-stats.ts'
import type { JsonRpc, RpcCall, RpcResponse } from './json-rpc.ts'
import { createLogLimit, type LogLimit } from './log-limit.ts'

/** Calls of one request, and how to read their responses. */
export type EndpointRequest<T> = {
  readonly calls: readonly RpcCall[]
  /** May be split when the response is too large; else one node must answer all calls at once. */
  readonly splittable: boolean
  /** Newest block that the node must know; null if any node will do. */
  readonly block: BlockNumber | null
  /** Limit of one response body. */
  readonly bytesMax: number
  /** Reads and validates; a fault counts against the endpoint. */
  readonly read: (answers: readonly RpcResponse[], limit: LogLimit) => Outcome<T, RpcCallFault>
  /** Newest block that the response proves the node to know. */
  readonly headOf?: (value: T) => BlockNumber
}

export type EndpointReport = {
  readonly host: string
  readonly state: EndpointState
  readonly headBlock: BlockNumber | null
  readonly batchCallsMax: number
  /** The number of logs at which it cuts responses without an error; null if it is not known to. */
  readonly logsCutAt: number | null
  /** HTTP requests. */
  readonly requests: number
  /** JSON-RPC calls in those requests. */
  readonly calls: number
  readonly faults: FaultCounts
}

export type RpcEndpoint = {
  readonly request: <T>(request: EndpointRequest<T>) => Promise<Outcome<T, RpcCallFault>>
  /** Time until the next request may be sent; 0 if it may be sent now. */
  readonly waitMs: () => number
  /** Why it accepts no request now. */
  readonly cooldownFault: () => RpcCallFault
  /** False if it recently did not know this block. */
  readonly mayHave: (block: BlockNumber) => boolean
  /** Its head has not advanced for too long. */
  readonly isStalled: () => boolean
  readonly report: () => EndpointReport
}

export type EndpointDeps = {
  readonly url: string
  readonly chainId: number
  readonly jsonRpc: JsonRpc
  readonly timer: Timer
  readonly random: () => number
  readonly logger: Logger
  /** Deadline of one request, including the response body. */
  readonly deadlineMs: number
  readonly batchCallsMax: number
}

const chainIdBytesMax = 64 * 1024

/** Sends requests under the deadline, and counts them. */
const createPost = ({ url, jsonRpc, deadlineMs }: EndpointDeps) => {
  const counters = { requests: 0, calls: 0 }
  const post: Post = (calls, bytesMax) => {
    counters.requests += 1
    counters.calls += calls.length
    return jsonRpc({ url, calls, deadlineMs, bytesMax })
  }
  return { counters, post }
}

/** A rate limit of some calls of a batch requires a cooldown, although others were answered. */
const findRateLimit = (answers: readonly RpcResponse[]): RpcCallFault | null => {
  for (const answer of answers) {
    if (!answer.ok && answer.fault.kind === 'rate-limited') return answer.fault
  }
  return null
}

export const createRpcEndpoint = (deps: EndpointDeps): RpcEndpoint => {
  const host = hostOf(deps.url)
  const { counters, post } = createPost(deps)
  const stats = createEndpointStats({ ...deps, host })
  const head = createHeadTracker(deps.timer)
  const logLimit = createLogLimit({ host, logger: deps.logger })
  const chainIdCheck = createChainIdCheck({
    chainId: deps.chainId,
    nowMs: deps.timer.nowMs,
    requestChainId: async () => {
      const answers = await post([chainIdCall], chainIdBytesMax)
      return answers.ok ? { ok: true, value: answers.value[0] } : answers
    },
  })
  const batches = createBatches({ post, callsMax: deps.batchCallsMax, chainIdCheck })

  const exchange = async <T>(
    request: EndpointRequest<T>,
  ): Promise<{
    readonly outcome: Outcome<T, RpcCallFault>
    readonly rateLimit: RpcCallFault | null
  }> => {
    const answers = await batches.send(request.calls, request)
    if (!answers.ok) return { outcome: answers, rateLimit: null }
    return {
      outcome: request.read(answers.value, logLimit),
      rateLimit: findRateLimit(answers.value),
    }
  }

  return {
    request: async (request) => {
      const attempt = stats.startRequest()
      const { outcome, rateLimit } = await exchange(request)
      if (outcome.ok) {
        if (request.headOf !== undefined) head.markSeen(request.headOf(outcome.value))
        if (rateLimit === null) attempt.answered()
        else attempt.failed(rateLimit)
        return outcome
      }
      const fault = { ...outcome.fault, detail: `${host}: ${outcome.fault.detail}` }
      if (fault.kind === 'wrong-chain') chainIdCheck.forget()
      if (fault.kind === 'behind' && request.block !== null) head.markBehind(request.block)
      attempt.failed(fault)
      return failure(fault)
    },
    waitMs: stats.waitMs,
    cooldownFault: stats.cooldownFault,
    mayHave: head.mayHave,
    isStalled: head.isStalled,
    report: () => ({
      host,
      state: stats.state(),
      headBlock: head.highest(),
      batchCallsMax: batches.callsMax(),
      logsCutAt: logLimit.cutAt(),
      ...counters,
      faults: stats.faults(),
    }),
  }
}
