import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'
import type { RpcCallFault } from './classify-error.ts'
import type { EndpointReport, EndpointRequest, RpcEndpoint } from './endpoint.ts'

/** Several endpoints of one chain, asked as if they were one. */
export type EndpointPool = {
  /** The first of the list that is fit to answer does; another one takes over where it can help. */
  readonly request: <T>(question: EndpointRequest<T>) => Promise<Outcome<T, RpcCallFault>>
  readonly reports: () => readonly EndpointReport[]
}

/** Who may be asked next after a fault. */
const reactions: Readonly<Record<RpcCallFault['kind'], 'anyone' | 'others' | 'nobody'>> = {
  unreachable: 'anyone',
  malformed: 'anyone',
  'rate-limited': 'anyone',
  // It may take as long again.
  timeout: 'others',
  behind: 'others',
  'wrong-chain': 'others',
  rejected: 'others',
  // The question is at fault: its owner has to put it differently.
  'range-too-large': 'nobody',
  'too-large': 'nobody',
  'batch-too-large': 'nobody',
  'too-slow': 'nobody',
  reverted: 'nobody',
}

/** Requests for one question; whoever needs more patience has it outside. */
const triesMax = 6
/**
 * One lost answer must not fail a step of many questions: with nobody else to ask, the same one is
 * asked again. Then two deadlines have passed, and a smaller question may be wiser.
 */
const timeoutsMax = 2

const stopping: RpcCallFault = { kind: 'unreachable', detail: 'stopping' }

/** In the given order, but those whose head stands still come last. */
const ranked = (endpoints: readonly RpcEndpoint[]): readonly RpcEndpoint[] => [
  ...endpoints.filter((endpoint) => !endpoint.isStalled()),
  ...endpoints.filter((endpoint) => endpoint.isStalled()),
]

/** Those that were not found behind the block a moment ago; all of them if there is no such. */
const knowing = (endpoints: readonly RpcEndpoint[], block: BlockNumber | null) => {
  if (block === null) return endpoints
  const able = endpoints.filter((endpoint) => endpoint.mayHave(block))
  return able.length > 0 ? able : endpoints
}

const soonest = (endpoints: readonly RpcEndpoint[]): RpcEndpoint | undefined =>
  endpoints.reduce<RpcEndpoint | undefined>(
    (best, each) => (best === undefined || each.waitMs() < best.waitMs() ? each : best),
    undefined,
  )

/** A question waits for no endpoint of another chain; later ones may look at it again. */
const isForeign = (endpoint: RpcEndpoint): boolean =>
  endpoint.waitMs() > 0 && endpoint.cooldownFault().kind === 'wrong-chain'

type Asked<T> = {
  readonly endpoint: RpcEndpoint
  readonly answer: Promise<Outcome<T, RpcCallFault>>
}

/**
 * An endpoint of another chain says nothing of those that may be of ours: only if there are none
 * is that the answer, because who hears it waits no longer.
 */
const latest = (last: RpcCallFault | null, fault: RpcCallFault): RpcCallFault =>
  last !== null && fault.kind === 'wrong-chain' ? last : fault

/** Of the last fault and the reason to wait no longer, what tells more. */
const more = (last: RpcCallFault | null, rest: RpcCallFault): RpcCallFault => {
  if (last === null || last.kind === 'wrong-chain' || rest === stopping) return rest
  return rest.kind === last.kind ? rest : last
}

export const createEndpointPool = (deps: {
  readonly endpoints: readonly RpcEndpoint[]
  readonly timer: Timer
  /** The longest that a question waits for rests, in all. */
  readonly waitMsMax: number
  readonly signal?: AbortSignal
}): EndpointPool => {
  const { endpoints, timer, waitMsMax, signal } = deps

  /**
   * Asks the best endpoint, once it is ready; or says why none will be in time. Nothing lies
   * between the choice and the question: others who wait must see that it is taken.
   */
  const askBest = async <T>(
    question: EndpointRequest<T>,
    excluded: ReadonlySet<RpcEndpoint>,
    untilMs: number,
  ): Promise<Outcome<Asked<T> | null, RpcCallFault>> => {
    for (;;) {
      if (signal?.aborted === true) return failure(stopping)
      const allowed = endpoints.filter((endpoint) => !excluded.has(endpoint))
      const [first] = allowed
      if (first === undefined) return success(null)
      const ours = allowed.filter((endpoint) => !isForeign(endpoint))
      const best = soonest(knowing(ranked(ours), question.block))
      if (best === undefined) return failure(first.cooldownFault())
      const waitMs = best.waitMs()
      if (waitMs === 0) return success({ endpoint: best, answer: best.request(question) })
      if (timer.nowMs() + waitMs > untilMs) return failure(best.cooldownFault())
      await timer.sleep(waitMs, signal)
    }
  }

  const ask = async <T>(question: EndpointRequest<T>): Promise<Outcome<T, RpcCallFault>> => {
    const excluded = new Set<RpcEndpoint>()
    let timeouts = 0
    let waitedMs = 0
    let last: RpcCallFault | null = null
    for (let tries = 0; tries < triesMax; tries++) {
      const startMs = timer.nowMs()
      const asked = await askBest(question, excluded, startMs + waitMsMax - waitedMs)
      waitedMs += timer.nowMs() - startMs
      if (!asked.ok) return failure(more(last, asked.fault))
      if (asked.value === null) break
      const { endpoint, answer } = asked.value
      const outcome = await answer
      if (outcome.ok || reactions[outcome.fault.kind] === 'nobody') return outcome
      const { fault } = outcome
      last = latest(last, fault)
      const isLate = fault.kind === 'timeout'
      if (isLate) timeouts += 1
      const isLast = excluded.size + 1 === endpoints.length
      const isSpared = isLate && isLast && timeouts < timeoutsMax
      if (reactions[fault.kind] === 'others' && !isSpared) excluded.add(endpoint)
    }
    if (last?.kind === 'timeout' && timeouts >= timeoutsMax) {
      return failure({ kind: 'too-slow', detail: last.detail })
    }
    return failure(last ?? { kind: 'unreachable', detail: 'no endpoint is configured' })
  }

  return { request: ask, reports: () => endpoints.map((endpoint) => endpoint.report()) }
}
