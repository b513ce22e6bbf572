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

/** Calls that belong together, and how their answers are understood. */
export type EndpointRequest<T> = {
  readonly calls: readonly RpcCall[]
  /** May be cut when the answer is too long; else it wants one moment of one node. */
  readonly splittable: boolean
  /** The newest block that it needs; null if any node will do. */
  readonly block: BlockNumber | null
  /** Of one answer. */
  readonly bytesMax: number
  /** Also judges: a fault found here is the endpoint's. */
  readonly read: (answers: readonly RpcResponse[]) => Outcome<T, RpcCallFault>
  /** The newest block that the answer proves to be known. */
  readonly headOf?: (value: T) => BlockNumber
}

/** For metrics and status. */
export type EndpointReport = {
  readonly host: string
  readonly state: EndpointState
  readonly headBlock: BlockNumber | null
  readonly batchCallsMax: number
  /** HTTP requests. */
  readonly requests: number
  /** JSON-RPC calls inside them. */
  readonly calls: number
  readonly faults: FaultCounts
}

export type RpcEndpoint = {
  readonly request: <T>(question: EndpointRequest<T>) => Promise<Outcome<T, RpcCallFault>>
  /** 0 when it may be asked now. */
  readonly waitMs: () => number
  /** Why it is not asked now. */
  readonly cooldownFault: () => RpcCallFault
  /** False if it was found behind this block a moment ago. */
  readonly mayHave: (block: BlockNumber) => boolean
  /** Its head stands still. */
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
  /** Of one request, body included. */
  readonly deadlineMs: number
  readonly batchCallsMax: number
}

const chainIdBytesMax = 64 * 1024

/** Posts, counted, each under its own deadline. */
const createPost = ({ url, jsonRpc, deadlineMs }: EndpointDeps) => {
  const counters = { requests: 0, calls: 0 }
  const post: Post = (calls, bytesMax) => {
    counters.requests += 1
    counters.calls += calls.length
    return jsonRpc({ url, calls, deadlineMs, bytesMax })
  }
  return { counters, post }
}

/** A batch of which a few calls were limited is an answer, and a reason to pause. */
const limitIn = (answers: readonly RpcResponse[]): RpcCallFault | null => {
  for (const answer of answers) {
    if (!answer.ok && answer.fault.kind === 'rate-limited') return answer.fault
  }
  return null
}

export const createRpcEndpoint = (deps: EndpointDeps): RpcEndpoint => {
  const host = hostOf(deps.url)
  const { counters, post } = createPost(deps)
  const record = createEndpointStats({ ...deps, host })
  const head = createHeadTracker(deps.timer)
  const proof = createChainIdCheck({
    chainId: deps.chainId,
    nowMs: deps.timer.nowMs,
    ask: async () => {
      const answers = await post([chainIdCall], chainIdBytesMax)
      return answers.ok ? { ok: true, value: answers.value[0] } : answers
    },
  })
  const batches = createBatches({ post, callsMax: deps.batchCallsMax, proof })

  const exchange = async <T>(
    question: EndpointRequest<T>,
  ): Promise<{
    readonly outcome: Outcome<T, RpcCallFault>
    readonly limit: RpcCallFault | null
  }> => {
    const answers = await batches.send(question.calls, question)
    if (!answers.ok) return { outcome: answers, limit: null }
    return { outcome: question.read(answers.value), limit: limitIn(answers.value) }
  }

  return {
    request: async (question) => {
      const request = record.startRequest()
      const { outcome, limit } = await exchange(question)
      if (outcome.ok) {
        if (question.headOf !== undefined) head.markSeen(question.headOf(outcome.value))
        if (limit === null) request.answered()
        else request.failed(limit)
        return outcome
      }
      const fault = { ...outcome.fault, detail: `${host}: ${outcome.fault.detail}` }
      if (fault.kind === 'wrong-chain') proof.forget()
      if (fault.kind === 'behind' && question.block !== null) head.markBehind(question.block)
      request.failed(fault)
      return failure(fault)
    },
    waitMs: record.waitMs,
    cooldownFault: record.cooldownFault,
    mayHave: head.mayHave,
    isStalled: head.isStalled,
    report: () => ({
      host,
      state: record.state(),
      headBlock: head.highest(),
      batchCallsMax: batches.callsMax(),
      ...counters,
      faults: record.faults(),
    }),
  }
}
