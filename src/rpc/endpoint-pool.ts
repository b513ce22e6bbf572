import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'
import type { NodeFault } from './classify-error.ts'
import type { Endpoint, EndpointReport, Question } from './endpoint.ts'

/** Several endpoints of one chain, asked as if they were one. */
export type Endpoints = {
  /** The first of the list that is fit to answer does; another one takes over where it can help. */
  readonly ask: <T>(question: Question<T>) => Promise<Outcome<T, NodeFault>>
  readonly reports: () => readonly EndpointReport[]
}

/** Who may be asked next after a fault. */
const reactions: Readonly<Record<NodeFault['kind'], 'anyone' | 'others' | 'nobody'>> = {
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

const stopping: NodeFault = { kind: 'unreachable', detail: 'stopping' }

/** In the given order, but those whose head stands still come last. */
const ranked = (endpoints: readonly Endpoint[]): readonly Endpoint[] => [
  ...endpoints.filter((endpoint) => !endpoint.isStalled()),
  ...endpoints.filter((endpoint) => endpoint.isStalled()),
]

/** Those that were not found behind the block a moment ago; all of them if there is no such. */
const knowing = (endpoints: readonly Endpoint[], block: BlockNumber | null) => {
  if (block === null) return endpoints
  const able = endpoints.filter((endpoint) => endpoint.mayKnow(block))
  return able.length > 0 ? able : endpoints
}

const soonest = (endpoints: readonly Endpoint[]): Endpoint | undefined =>
  endpoints.reduce<Endpoint | undefined>(
    (best, each) => (best === undefined || each.waitMs() < best.waitMs() ? each : best),
    undefined,
  )

/** A question waits for no endpoint of another chain; later ones may look at it again. */
const isForeign = (endpoint: Endpoint): boolean =>
  endpoint.waitMs() > 0 && endpoint.restFault().kind === 'wrong-chain'

type Asked<T> = {
  readonly endpoint: Endpoint
  readonly answer: Promise<Outcome<T, NodeFault>>
}

/**
 * An endpoint of another chain says nothing of those that may be of ours: only if there are none
 * is that the answer, because who hears it waits no longer.
 */
const latest = (last: NodeFault | null, fault: NodeFault): NodeFault =>
  last !== null && fault.kind === 'wrong-chain' ? last : fault

/** Of the last fault and the reason to wait no longer, what tells more. */
const more = (last: NodeFault | null, rest: NodeFault): NodeFault => {
  if (last === null || last.kind === 'wrong-chain' || rest === stopping) return rest
  return rest.kind === last.kind ? rest : last
}

export const createEndpoints = (deps: {
  readonly endpoints: readonly Endpoint[]
  readonly timer: Timer
  /** The longest that a question waits for rests, in all. */
  readonly waitMsMax: number
  readonly signal?: AbortSignal
}): Endpoints => {
  const { endpoints, timer, waitMsMax, signal } = deps

  /**
   * Asks the best endpoint, once it is ready; or says why none will be in time. Nothing lies
   * between the choice and the question: others who wait must see that it is taken.
   */
  const askBest = async <T>(
    question: Question<T>,
    excluded: ReadonlySet<Endpoint>,
    untilMs: number,
  ): Promise<Outcome<Asked<T> | null, NodeFault>> => {
    for (;;) {
      if (signal?.aborted === true) return failure(stopping)
      const allowed = endpoints.filter((endpoint) => !excluded.has(endpoint))
      const [first] = allowed
      if (first === undefined) return success(null)
      const ours = allowed.filter((endpoint) => !isForeign(endpoint))
      const best = soonest(knowing(ranked(ours), question.block))
      if (best === undefined) return failure(first.restFault())
      const waitMs = best.waitMs()
      if (waitMs === 0) return success({ endpoint: best, answer: best.ask(question) })
      if (timer.nowMs() + waitMs > untilMs) return failure(best.restFault())
      await timer.sleep(waitMs, signal)
    }
  }

  const ask = async <T>(question: Question<T>): Promise<Outcome<T, NodeFault>> => {
    const excluded = new Set<Endpoint>()
    let timeouts = 0
    let waitedMs = 0
    let last: NodeFault | null = null
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

  return { ask, reports: () => endpoints.map((endpoint) => endpoint.report()) }
}
