import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'
import type { Logger } from '../ports/runtime.ts'
import {
  afterFailure,
  afterRateLimit,
  afterSuccess,
  afterWrongChain,
  type CircuitState,
  initialCircuit,
  isOpen,
  isReady,
} from './circuit-breaker.ts'
import type { RpcCallFault } from './classify-error.ts'

/** What an endpoint did not know is not asked of it again for so long. */
const lackMs = 1000
/** A head that stands still for so long is a fault of the node rather than the chain's pace. */
const stallMs = 60_000

/** How far an endpoint sees. */
export type HeadTracker = {
  /** It knows this block. */
  readonly markSeen: (block: BlockNumber) => void
  /** It did not know this block just now. */
  readonly markBehind: (block: BlockNumber) => void
  /** False if it was found behind this block a moment ago. */
  readonly mayHave: (block: BlockNumber) => boolean
  /** Asked again and again, it shows no new block. */
  readonly isStalled: () => boolean
  readonly highest: () => BlockNumber | null
}

export const createHeadTracker = (timer: Timer): HeadTracker => {
  let highest: BlockNumber | null = null
  let grewAtMs = timer.nowMs()
  let askedAtMs = grewAtMs
  let lacking: { readonly block: BlockNumber; readonly atMs: number } | null = null
  return {
    markSeen: (block) => {
      const nowMs = timer.nowMs()
      // After a pause nothing is known of the time between.
      if (highest === null || block > highest || nowMs - askedAtMs > stallMs) grewAtMs = nowMs
      askedAtMs = nowMs
      highest = Math.max(block, highest ?? block)
    },
    markBehind: (block) => {
      lacking = { block, atMs: timer.nowMs() }
    },
    mayHave: (block) =>
      lacking === null || block < lacking.block || timer.nowMs() - lacking.atMs > lackMs,
    isStalled: () => askedAtMs - grewAtMs > stallMs,
    highest: () => highest,
  }
}

export type EndpointState = 'ready' | 'resting' | 'open' | 'wrong-chain'
export type FaultCounts = Readonly<Partial<Record<RpcCallFault['kind'], number>>>

/** What an endpoint did, and what follows from it: whether it may be asked. */
export type EndpointStats = {
  readonly startRequest: () => {
    readonly answered: () => void
    readonly failed: (of: RpcCallFault) => void
  }
  /** 0 when it may be asked now. */
  readonly waitMs: () => number
  /** Why it is not asked now. */
  readonly cooldownFault: () => RpcCallFault
  readonly state: () => EndpointState
  readonly faults: () => FaultCounts
}

type Deps = {
  readonly host: string
  readonly timer: Timer
  readonly random: () => number
  readonly logger: Logger
}

/** While one trial is under way at an open circuit, the others look again after this. */
const trialPollMs = 50

const strikingKinds = ['unreachable', 'timeout', 'malformed'] as const
/** A fault that speaks against the endpoint itself. */
type StrikingFault = {
  readonly kind: (typeof strikingKinds)[number]
  readonly detail: string
}

const strikingFaultOf = ({ kind, detail }: RpcCallFault): StrikingFault | null => {
  const striking = strikingKinds.find((each) => each === kind)
  return striking === undefined ? null : { kind: striking, detail }
}

const nextHealth = (
  health: CircuitState,
  fault: RpcCallFault,
  strike: Parameters<typeof afterFailure>[1],
): CircuitState => {
  if (fault.kind === 'wrong-chain') return afterWrongChain(health, strike)
  if (fault.kind === 'rate-limited') return afterRateLimit(health, fault.retryAfterSeconds, strike)
  return strikingFaultOf(fault) === null ? health : afterFailure(health, strike)
}

/** What the rest is for, in the words of the fault that brought it: those help whoever reads. */
const restFaultOf = (
  health: CircuitState,
  { kind, detail }: StrikingFault,
  { host, waitMs }: { readonly host: string; readonly waitMs: number },
): RpcCallFault => {
  if (health.cooldownReason === 'wrong-chain') {
    return { kind: 'wrong-chain', detail: `${host}: serves another chain` }
  }
  if (health.cooldownReason === 'rate-limit') {
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    return { kind: 'rate-limited', retryAfterSeconds, detail: `${host}: waits out a rate limit` }
  }
  return { kind, detail: `${detail}, ${health.failures} faults in a row` }
}

const stateOf = (health: CircuitState, nowMs: number): EndpointState => {
  if (health.cooldownReason === 'wrong-chain') return 'wrong-chain'
  if (isOpen(health)) return 'open'
  return nowMs < health.readyAtMs ? 'resting' : 'ready'
}

export const createEndpointStats = ({ host, timer, random, logger }: Deps): EndpointStats => {
  const counts: Partial<Record<RpcCallFault['kind'], number>> = {}
  let health = initialCircuit
  let lastFault: StrikingFault = { kind: 'unreachable', detail: host }
  let inFlight = 0
  /** It was said; every question in flight finds it out anew. */
  let isToldForeign = false

  const waitMs = (): number => {
    const nowMs = timer.nowMs()
    if (isReady(health, nowMs, inFlight)) return 0
    return Math.max(trialPollMs, health.readyAtMs - nowMs)
  }

  const record = (fault: RpcCallFault, sentAtMs: number): void => {
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1
    const before = health
    lastFault = strikingFaultOf(fault) ?? lastFault
    health = nextHealth(health, fault, { sentAtMs, nowMs: timer.nowMs(), random: random() })
    const { kind, detail } = fault
    if (kind === 'wrong-chain' && !isToldForeign) {
      isToldForeign = true
      logger.error('An RPC endpoint serves another chain', { detail })
    }
    if (isOpen(health) && !isOpen(before)) {
      logger.warn('An RPC endpoint fails again and again and is left alone for a while', { detail })
    }
  }

  return {
    startRequest: () => {
      const sentAtMs = timer.nowMs()
      inFlight += 1
      return {
        answered: () => {
          inFlight -= 1
          const wasOpen = isOpen(health)
          health = afterSuccess(health, sentAtMs)
          if (health.cooldownReason === null) isToldForeign = false
          if (wasOpen && !isOpen(health)) logger.info('An RPC endpoint answers again', { host })
        },
        failed: (fault) => {
          inFlight -= 1
          record(fault, sentAtMs)
        },
      }
    },
    waitMs,
    cooldownFault: () => restFaultOf(health, lastFault, { host, waitMs: waitMs() }),
    state: () => stateOf(health, timer.nowMs()),
    faults: () => ({ ...counts }),
  }
}
