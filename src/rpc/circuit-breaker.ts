/** Recent behaviour of an endpoint. Times are milliseconds of the timer. */
export type CircuitState = {
  /** Consecutive failures. */
  readonly failures: number
  /** Consecutive rate limits. */
  readonly rateLimits: number
  /** Cooldowns after a wrong chain ID; each is longer than the one before. */
  readonly wrongChains: number
  /** When it last responded with a wrong chain ID. */
  readonly wrongChainAtMs: number
  /** When its last cooldown began. */
  readonly cooledAtMs: number
  /** No request is sent before this time. */
  readonly readyAtMs: number
  readonly cooldownReason: 'failure' | 'rate-limit' | 'wrong-chain' | null
}

export const initialCircuit: CircuitState = {
  failures: 0,
  rateLimits: 0,
  wrongChains: 0,
  wrongChainAtMs: Number.NEGATIVE_INFINITY,
  cooledAtMs: Number.NEGATIVE_INFINITY,
  readyAtMs: Number.NEGATIVE_INFINITY,
  cooldownReason: null,
}

const failureWaitFirstMs = 250
/** After so many consecutive failures the circuit opens: long cooldowns, one trial at a time. */
const openAfterFailures = 5
const openWaitMs = 10_000
const rateWaitFirstMs = 1000
/** Also applies to `Retry-After: 0`. */
const rateWaitMinMs = 250
/**
 * At most 30 s with jitter: sync must catch up within a minute after a limit ends
 * (docs/testing.md), and two requests a minute do not prolong a limit.
 */
const rateWaitMaxMs = 20_000
/** Longer `Retry-After` values are capped. */
const retryAfterSecondsMax = 300

/**
 * One of several nodes behind a URL may be misrouted briefly, so the first cooldown is short. An
 * endpoint that keeps serving another chain needs its operator.
 */
const wrongChainWaitFirstMs = 10_000
const wrongChainGrowth = 4
const wrongChainWaitMaxMs = 300_000
/** Longer than the longest cooldown, so that one correct response does not reset the growth. */
const wrongChainMemoryMs = 900_000

/** Adds up to half, so that many clients do not retry at once. */
const withJitter = (ms: number, random: number): number => ms * (1 + random / 2)

export type FailureContext = {
  /** When the request that failed was sent. */
  readonly sentAtMs: number
  readonly nowMs: number
  /** 0 to 1. */
  readonly random: number
}

/** A request sent before the last cooldown failed for the same cause: it counts once. */
const isSameIncident = (circuit: CircuitState, { sentAtMs }: FailureContext): boolean =>
  sentAtMs < circuit.cooledAtMs

const cooldown = (
  circuit: CircuitState,
  waitMs: number,
  { nowMs, random }: FailureContext,
): Pick<CircuitState, 'cooledAtMs' | 'readyAtMs'> => ({
  cooledAtMs: nowMs,
  readyAtMs: Math.max(circuit.readyAtMs, nowMs + withJitter(waitMs, random)),
})

/** Closes the circuit, unless the request was sent before the last failure. */
export const afterSuccess = (circuit: CircuitState, sentAtMs: number): CircuitState =>
  circuit.cooldownReason === null || sentAtMs < circuit.cooledAtMs
    ? circuit
    : { ...circuit, failures: 0, rateLimits: 0, cooldownReason: null }

export const afterFailure = (circuit: CircuitState, failure: FailureContext): CircuitState => {
  if (isSameIncident(circuit, failure)) return circuit
  const failures = circuit.failures + 1
  const waitMs =
    failures < openAfterFailures ? failureWaitFirstMs * 2 ** (failures - 1) : openWaitMs
  return { ...circuit, failures, cooldownReason: 'failure', ...cooldown(circuit, waitMs, failure) }
}

/** Waits for `Retry-After`, else exponentially longer (docs/methodology.md §8). */
export const afterRateLimit = (
  circuit: CircuitState,
  retryAfterSeconds: number | null,
  failure: FailureContext,
): CircuitState => {
  const isRepeated = isSameIncident(circuit, failure)
  if (retryAfterSeconds === null && isRepeated) return circuit
  const rateLimits = circuit.rateLimits + (isRepeated ? 0 : 1)
  const waitMs =
    retryAfterSeconds === null
      ? Math.min(rateWaitMaxMs, rateWaitFirstMs * 2 ** (rateLimits - 1))
      : Math.max(rateWaitMinMs, Math.min(retryAfterSecondsMax, retryAfterSeconds) * 1000)
  return {
    ...circuit,
    rateLimits,
    cooldownReason: 'rate-limit',
    ...cooldown(circuit, waitMs, failure),
  }
}

/** Each further cooldown is longer (docs/methodology.md §7). */
export const afterWrongChain = (circuit: CircuitState, failure: FailureContext): CircuitState => {
  const isWrongChain = circuit.cooldownReason === 'wrong-chain'
  if (isWrongChain && isSameIncident(circuit, failure)) return circuit
  const { nowMs } = failure
  const isRecurring = isWrongChain || nowMs - circuit.wrongChainAtMs < wrongChainMemoryMs
  const wrongChains = isRecurring ? circuit.wrongChains + 1 : 1
  const grownMs = wrongChainWaitFirstMs * wrongChainGrowth ** (wrongChains - 1)
  return {
    ...circuit,
    wrongChains,
    wrongChainAtMs: nowMs,
    cooldownReason: 'wrong-chain',
    ...cooldown(circuit, Math.min(wrongChainWaitMaxMs, grownMs), failure),
  }
}

export const isOpen = (circuit: CircuitState): boolean => circuit.failures >= openAfterFailures

/** An open circuit allows a single request at a time. */
export const isReady = (circuit: CircuitState, nowMs: number, inFlight: number): boolean =>
  nowMs >= circuit.readyAtMs && !(isOpen(circuit) && inFlight > 0)
