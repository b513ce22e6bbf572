import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'
import type { Logger } from '../ports/runtime.ts'
import {
  afterFailure,
  afterRateLimit,
  afterSuccess,
  afterWrongChain,
  type CircuitState,
  type FailureContext,
  initialCircuit,
  isOpen,
  isReady,
} from './circuit-breaker.ts'
import type { RpcCallFault } from './classify-error.ts'

/** A block that an endpoint did not know is not requested from it again for this long. */
const behindMs = 1000
/** A head that does not advance for this long is a fault of the node, not of the chain. */
const stallMs = 60_000

/** Tracks which blocks an endpoint knows. */
export type HeadTracker = {
  readonly markSeen: (block: BlockNumber) => void
  readonly markBehind: (block: BlockNumber) => void
  /** False if it recently did not know this block. */
  readonly mayHave: (block: BlockNumber) => boolean
  /** Repeated requests show no new block. */
  readonly isStalled: () => boolean
  readonly highest: () => BlockNumber | null
}

export const createHeadTracker = (timer: Timer): HeadTracker => {
  let highest: BlockNumber | null = null
  let grewAtMs = timer.nowMs()
  let checkedAtMs = grewAtMs
  let behind: { readonly block: BlockNumber; readonly atMs: number } | null = null
  return {
    markSeen: (block) => {
      const nowMs = timer.nowMs()
      // After a pause without requests the age of the head is unknown.
      if (highest === null || block > highest || nowMs - checkedAtMs > stallMs) grewAtMs = nowMs
      checkedAtMs = nowMs
      highest = Math.max(block, highest ?? block)
    },
    markBehind: (block) => {
      behind = { block, atMs: timer.nowMs() }
    },
    mayHave: (block) =>
      behind === null || block < behind.block || timer.nowMs() - behind.atMs > behindMs,
    isStalled: () => checkedAtMs - grewAtMs > stallMs,
    highest: () => highest,
  }
}

export type EndpointState = 'ready' | 'cooldown' | 'open' | 'wrong-chain'
export type FaultCounts = Readonly<Partial<Record<RpcCallFault['kind'], number>>>

/** Counts results of an endpoint and decides when it may be used. */
export type EndpointStats = {
  readonly startRequest: () => {
    readonly answered: () => void
    readonly failed: (fault: RpcCallFault) => void
  }
  /** Time until the next request may be sent; 0 if it may be sent now. */
  readonly waitMs: () => number
  /** Why it accepts no request now. */
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

/** While a trial request of an open circuit is in flight, others check again after this. */
const trialPollMs = 50

const failureKinds = ['unreachable', 'timeout', 'malformed'] as const
/** A fault of the endpoint itself. */
type EndpointFault = {
  readonly kind: (typeof failureKinds)[number]
  readonly detail: string
}

const toEndpointFault = ({ kind, detail }: RpcCallFault): EndpointFault | null => {
  const failureKind = failureKinds.find((known) => known === kind)
  return failureKind === undefined ? null : { kind: failureKind, detail }
}

const nextCircuit = (
  circuit: CircuitState,
  fault: RpcCallFault,
  context: FailureContext,
): CircuitState => {
  if (fault.kind === 'wrong-chain') return afterWrongChain(circuit, context)
  if (fault.kind === 'rate-limited')
    return afterRateLimit(circuit, fault.retryAfterSeconds, context)
  return toEndpointFault(fault) === null ? circuit : afterFailure(circuit, context)
}

/** Repeats the detail of the fault that caused the cooldown. */
const cooldownFaultOf = (
  circuit: CircuitState,
  { kind, detail }: EndpointFault,
  { host, waitMs }: { readonly host: string; readonly waitMs: number },
): RpcCallFault => {
  if (circuit.cooldownReason === 'wrong-chain') {
    return { kind: 'wrong-chain', detail: `${host}: wrong chain ID` }
  }
  if (circuit.cooldownReason === 'rate-limit') {
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    return { kind: 'rate-limited', retryAfterSeconds, detail: `${host}: in rate-limit cooldown` }
  }
  return { kind, detail: `${detail}, ${circuit.failures} consecutive failures` }
}

const stateOf = (circuit: CircuitState, nowMs: number): EndpointState => {
  if (circuit.cooldownReason === 'wrong-chain') return 'wrong-chain'
  if (isOpen(circuit)) return 'open'
  return nowMs < circuit.readyAtMs ? 'cooldown' : 'ready'
}

export const createEndpointStats = ({ host, timer, random, logger }: Deps): EndpointStats => {
  const counts: Partial<Record<RpcCallFault['kind'], number>> = {}
  let circuit = initialCircuit
  let lastFault: EndpointFault = { kind: 'unreachable', detail: host }
  let inFlight = 0
  /** Logged once, although every request in flight detects it. */
  let isWrongChainLogged = false

  const waitMs = (): number => {
    const nowMs = timer.nowMs()
    if (isReady(circuit, nowMs, inFlight)) return 0
    return Math.max(trialPollMs, circuit.readyAtMs - nowMs)
  }

  const recordFault = (fault: RpcCallFault, sentAtMs: number): void => {
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1
    const before = circuit
    lastFault = toEndpointFault(fault) ?? lastFault
    circuit = nextCircuit(circuit, fault, { sentAtMs, nowMs: timer.nowMs(), random: random() })
    const { kind, detail } = fault
    if (kind === 'wrong-chain' && !isWrongChainLogged) {
      isWrongChainLogged = true
      logger.error('RPC endpoint has the wrong chain ID', { detail })
    }
    if (isOpen(circuit) && !isOpen(before)) {
      logger.warn('RPC endpoint disabled after repeated failures', { detail })
    }
  }

  return {
    startRequest: () => {
      const sentAtMs = timer.nowMs()
      inFlight += 1
      return {
        answered: () => {
          inFlight -= 1
          const wasOpen = isOpen(circuit)
          circuit = afterSuccess(circuit, sentAtMs)
          if (circuit.cooldownReason === null) isWrongChainLogged = false
          if (wasOpen && !isOpen(circuit)) logger.info('RPC endpoint recovered', { host })
        },
        failed: (fault) => {
          inFlight -= 1
          recordFault(fault, sentAtMs)
        },
      }
    },
    waitMs,
    cooldownFault: () => cooldownFaultOf(circuit, lastFault, { host, waitMs: waitMs() }),
    state: () => stateOf(circuit, timer.nowMs()),
    faults: () => ({ ...counts }),
  }
}
