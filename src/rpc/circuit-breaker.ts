/** How an endpoint behaved lately. Times are the timer's milliseconds. */
export type CircuitState = {
  /** Faults in a row. */
  readonly failures: number
  /** Rate limits in a row. */
  readonly rateLimits: number
  /** Cooldowns for another chain's id, of which each is longer than the one before. */
  readonly wrongChains: number
  /** When it last answered with another chain's id. */
  readonly wrongChainAtMs: number
  /** When it was last given a rest. */
  readonly struckAtMs: number
  /** Not asked before this time. */
  readonly readyAtMs: number
  /** What the rest is for. */
  readonly restsFor: 'failure' | 'rate-limit' | 'wrong-chain' | null
}

export const healthFirst: CircuitState = {
  failures: 0,
  rateLimits: 0,
  wrongChains: 0,
  wrongChainAtMs: Number.NEGATIVE_INFINITY,
  struckAtMs: Number.NEGATIVE_INFINITY,
  readyAtMs: Number.NEGATIVE_INFINITY,
  restsFor: null,
}

const failureWaitFirstMs = 250
/** From so many faults in a row on the circuit is open: long rests, one trial at a time. */
const breakerFailures = 5
const breakerRestMs = 10_000
const rateWaitFirstMs = 1000
/** Even a node that says "at once" is given a moment. */
const rateWaitMinMs = 250
/**
 * With jitter at most 30 s: a minute after a limit ended, all must be caught up with
 * (docs/testing.md), and two requests a minute keep no limit alive. Longer rests are asked for.
 */
const rateWaitMaxMs = 20_000
/** A node's own wish is believed up to five minutes. */
const retryAfterSecondsMax = 300

/**
 * Of several nodes behind one address one may be misdirected for a moment, so the first cooldown
 * is short. An endpoint that keeps serving another chain has to be corrected by somebody.
 */
const wrongChainWaitFirstMs = 10_000
const wrongChainGrowth = 4
const wrongChainWaitMaxMs = 300_000
/** Longer than the longest cooldown: an endpoint that is right in between does not start over. */
const wrongChainMemoryMs = 900_000

/** Waits of many clients must not end together: up to half as long again. */
const jittered = (ms: number, random: number): number => ms * (1 + random / 2)

export type FailureContext = {
  /** When the request that failed was sent. */
  readonly sentAtMs: number
  readonly nowMs: number
  /** 0 to 1. */
  readonly random: number
}

/** Of many requests in flight together the first to fail speaks for all. */
const isOfTheSameEvent = (health: CircuitState, { sentAtMs }: FailureContext): boolean =>
  sentAtMs < health.struckAtMs

const resting = (
  health: CircuitState,
  waitMs: number,
  { nowMs, random }: FailureContext,
): Pick<CircuitState, 'struckAtMs' | 'readyAtMs'> => ({
  struckAtMs: nowMs,
  readyAtMs: Math.max(health.readyAtMs, nowMs + jittered(waitMs, random)),
})

/** An answer to a question older than the last fault says nothing new. */
export const afterAnswer = (health: CircuitState, sentAtMs: number): CircuitState =>
  health.restsFor === null || sentAtMs < health.struckAtMs
    ? health
    : { ...health, failures: 0, rateLimits: 0, restsFor: null }

export const afterFailure = (health: CircuitState, strike: FailureContext): CircuitState => {
  if (isOfTheSameEvent(health, strike)) return health
  const failures = health.failures + 1
  const waitMs =
    failures < breakerFailures ? failureWaitFirstMs * 2 ** (failures - 1) : breakerRestMs
  return { ...health, failures, restsFor: 'failure', ...resting(health, waitMs, strike) }
}

/** Waits as long as the node says, else ever longer (docs/methodology.md §8: 429 waits). */
export const afterRateLimit = (
  health: CircuitState,
  retryAfterSeconds: number | null,
  strike: FailureContext,
): CircuitState => {
  const isRepeated = isOfTheSameEvent(health, strike)
  if (retryAfterSeconds === null && isRepeated) return health
  const rateLimits = health.rateLimits + (isRepeated ? 0 : 1)
  const waitMs =
    retryAfterSeconds === null
      ? Math.min(rateWaitMaxMs, rateWaitFirstMs * 2 ** (rateLimits - 1))
      : Math.max(rateWaitMinMs, Math.min(retryAfterSecondsMax, retryAfterSeconds) * 1000)
  return { ...health, rateLimits, restsFor: 'rate-limit', ...resting(health, waitMs, strike) }
}

/** The first cooldown is short, each further one longer (docs/methodology.md §7). */
export const afterWrongChain = (health: CircuitState, strike: FailureContext): CircuitState => {
  const isForeign = health.restsFor === 'wrong-chain'
  if (isForeign && isOfTheSameEvent(health, strike)) return health
  const { nowMs } = strike
  const isRecurring = isForeign || nowMs - health.wrongChainAtMs < wrongChainMemoryMs
  const wrongChains = isRecurring ? health.wrongChains + 1 : 1
  const grownMs = wrongChainWaitFirstMs * wrongChainGrowth ** (wrongChains - 1)
  return {
    ...health,
    wrongChains,
    wrongChainAtMs: nowMs,
    restsFor: 'wrong-chain',
    ...resting(health, Math.min(wrongChainWaitMaxMs, grownMs), strike),
  }
}

export const isOpen = (health: CircuitState): boolean => health.failures >= breakerFailures

/** An open circuit lets a single request try, and waits for its result. */
export const isReady = (health: CircuitState, nowMs: number, inFlight: number): boolean =>
  nowMs >= health.readyAtMs && !(isOpen(health) && inFlight > 0)
