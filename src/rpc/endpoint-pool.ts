import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'
import type { RpcCallFault } from './classify-error.ts'
import type { EndpointReport, EndpointRequest, RpcEndpoint } from './endpoint.ts'

/** Several endpoints of one chain behind one `request`. */
export type EndpointPool = {
  /** Uses the first endpoint that is ready, and retries on others where that can help. */
  readonly request: <T>(request: EndpointRequest<T>) => Promise<Outcome<T, RpcCallFault>>
  readonly reports: () => readonly EndpointReport[]
}

/** Endpoints on which a request is retried after a fault. */
const retryTargets: Readonly<Record<RpcCallFault['kind'], 'all' | 'others' | 'none'>> = {
  unreachable: 'all',
  malformed: 'all',
  'rate-limited': 'all',
  // The same endpoint may need as long again.
  timeout: 'others',
  behind: 'others',
  'wrong-chain': 'others',
  rejected: 'others',
  // The request is at fault: the caller must change it.
  'range-too-large': 'none',
  'too-large': 'none',
  'batch-too-large': 'none',
  'too-slow': 'none',
  reverted: 'none',
}

/** Attempts per request; the callers have their own retry loops. */
const triesMax = 6
/**
 * The last endpoint is tried twice, so that one lost response does not fail a large step. After two
 * deadlines a smaller request may help (`too-slow`).
 */
const timeoutsMax = 2

const stopping: RpcCallFault = { kind: 'unreachable', detail: 'shutting down' }

/** In the configured order, stalled endpoints last. */
const rankEndpoints = (endpoints: readonly RpcEndpoint[]): readonly RpcEndpoint[] => [
  ...endpoints.filter((endpoint) => !endpoint.isStalled()),
  ...endpoints.filter((endpoint) => endpoint.isStalled()),
]

/** Endpoints that may know the block; all of them if none does. */
const filterByBlock = (endpoints: readonly RpcEndpoint[], block: BlockNumber | null) => {
  if (block === null) return endpoints
  const able = endpoints.filter((endpoint) => endpoint.mayHave(block))
  return able.length > 0 ? able : endpoints
}

const findSoonest = (endpoints: readonly RpcEndpoint[]): RpcEndpoint | undefined =>
  endpoints.reduce<RpcEndpoint | undefined>(
    (best, next) => (best === undefined || next.waitMs() < best.waitMs() ? next : best),
    undefined,
  )

/** No request waits for an endpoint of another chain; later requests check it again. */
const isOnWrongChain = (endpoint: RpcEndpoint): boolean =>
  endpoint.waitMs() > 0 && endpoint.cooldownFault().kind === 'wrong-chain'

type Attempt<T> = {
  readonly endpoint: RpcEndpoint
  readonly answer: Promise<Outcome<T, RpcCallFault>>
}

/**
 * A wrong chain ID is reported only if no endpoint failed for another reason, because the caller
 * does not retry after it.
 */
const newerFault = (last: RpcCallFault | null, fault: RpcCallFault): RpcCallFault =>
  last !== null && fault.kind === 'wrong-chain' ? last : fault

/** Chooses the more specific of the last fault and the reason to stop waiting. */
const moreSpecificFault = (last: RpcCallFault | null, reason: RpcCallFault): RpcCallFault => {
  if (last === null || last.kind === 'wrong-chain' || reason === stopping) return reason
  return reason.kind === last.kind ? reason : last
}

export const createEndpointPool = (deps: {
  readonly endpoints: readonly RpcEndpoint[]
  readonly timer: Timer
  /** Total time that one request waits for cooldowns. */
  readonly waitMsMax: number
  readonly signal?: AbortSignal
}): EndpointPool => {
  const { endpoints, timer, waitMsMax, signal } = deps

  /**
   * Sends the request to the best endpoint once it is ready, or returns why none will be in time.
   * Choosing and sending are one synchronous step, so that concurrent callers see it as taken.
   */
  const requestBest = async <T>(
    request: EndpointRequest<T>,
    excluded: ReadonlySet<RpcEndpoint>,
    untilMs: number,
  ): Promise<Outcome<Attempt<T> | null, RpcCallFault>> => {
    for (;;) {
      if (signal?.aborted === true) return failure(stopping)
      const allowed = endpoints.filter((endpoint) => !excluded.has(endpoint))
      const [first] = allowed
      if (first === undefined) return success(null)
      const candidates = allowed.filter((endpoint) => !isOnWrongChain(endpoint))
      const best = findSoonest(filterByBlock(rankEndpoints(candidates), request.block))
      if (best === undefined) return failure(first.cooldownFault())
      const waitMs = best.waitMs()
      if (waitMs === 0) return success({ endpoint: best, answer: best.request(request) })
      if (timer.nowMs() + waitMs > untilMs) return failure(best.cooldownFault())
      await timer.sleep(waitMs, signal)
    }
  }

  const requestWithRetries = async <T>(
    request: EndpointRequest<T>,
  ): Promise<Outcome<T, RpcCallFault>> => {
    const excluded = new Set<RpcEndpoint>()
    let timeouts = 0
    let waitedMs = 0
    let last: RpcCallFault | null = null
    for (let tries = 0; tries < triesMax; tries++) {
      const startMs = timer.nowMs()
      const attempt = await requestBest(request, excluded, startMs + waitMsMax - waitedMs)
      waitedMs += timer.nowMs() - startMs
      if (!attempt.ok) return failure(moreSpecificFault(last, attempt.fault))
      if (attempt.value === null) break
      const { endpoint, answer } = attempt.value
      const outcome = await answer
      if (outcome.ok || retryTargets[outcome.fault.kind] === 'none') return outcome
      const { fault } = outcome
      last = newerFault(last, fault)
      const isTimeout = fault.kind === 'timeout'
      if (isTimeout) timeouts += 1
      const isLast = excluded.size + 1 === endpoints.length
      const canRetryLast = isTimeout && isLast && timeouts < timeoutsMax
      if (retryTargets[fault.kind] === 'others' && !canRetryLast) excluded.add(endpoint)
    }
    if (last?.kind === 'timeout' && timeouts >= timeoutsMax) {
      return failure({ kind: 'too-slow', detail: last.detail })
    }
    return failure(last ?? { kind: 'unreachable', detail: 'no endpoint is configured' })
  }

  return {
    request: requestWithRetries,
    reports: () => endpoints.map((endpoint) => endpoint.report()),
  }
}
