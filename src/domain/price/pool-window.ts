import type { TokenRoles } from '../pool/pool-kind.ts'
import type { PoolSet } from '../pool/pool-set.ts'
import type { PoolNumber, PoolState } from '../pool/pool-state.ts'
import type { TrackedPool } from '../pool/tracked-pool.ts'
import type { Address, UnixSeconds } from '../units.ts'

/** Length of the window in which pools set prices (methodology §3). */
export const poolWindowSeconds = 300

/** A state of a pool and the time from which it held. */
export type PoolStep = { readonly ts: UnixSeconds; readonly pool: TrackedPool }

/** States of one pool: of several within a second the last, because only that one rested. */
export type PoolWindow = {
  readonly past: readonly PoolStep[]
  readonly present: PoolStep
}

/** A pool that may price a token, because its other token is trusted. */
export type PricingSide = { readonly window: PoolWindow; readonly isToken0: boolean }

/** The states of the pricing pools of one set during the last minutes of chain time. */
export type PoolWindows = {
  /** Must precede each change of a pool by an event of this time. */
  readonly leave: (pool: PoolNumber, ts: UnixSeconds) => void
  /** Replaces a pool's states, oldest first; the last one is that of the set. */
  readonly restore: (pool: PoolNumber, steps: readonly PoolStep[]) => void
  /** The pools that are followed, in their present states. */
  readonly pools: () => Iterable<TrackedPool>
  readonly sidesOf: (token: Address) => readonly PricingSide[]
}

type Track = { past: PoolStep[]; present: PoolStep }

const isSameMarket = (one: PoolState, other: PoolState): boolean =>
  one.price === other.price && one.liquidity === other.liquidity && one.mapFault === other.mapFault

/** Keeps the step, and what is computed from it, while price and liquidity are the same. */
const updated = (step: PoolStep, pool: TrackedPool): PoolStep =>
  step.pool.tickMap === pool.tickMap && isSameMarket(step.pool.state, pool.state)
    ? step
    : { ts: step.ts, pool }

/** Drops the states that ended before the window of this time. */
const dropEnded = ({ past }: Track, ts: UnixSeconds): void => {
  const fromTs = ts - poolWindowSeconds
  let ended = 0
  while ((past[ended + 1]?.ts ?? ts) <= fromTs) ended += 1
  if (ended > 0) past.splice(0, ended)
}

/**
 * Follows the pools with a trusted side. A pool's first state counts as having held since the
 * pool's creation, unless `restore` knows more.
 */
export const createPoolWindows = (
  pools: PoolSet,
  { isTrusted }: Pick<TokenRoles, 'isTrusted'>,
): PoolWindows => {
  const tracks = new Map<PoolNumber, Track>()
  const sides = new Map<Address, PricingSide[]>()

  const addSide = (token: Address, side: PricingSide): void => {
    const ofToken = sides.get(token)
    if (ofToken === undefined) sides.set(token, [side])
    else ofToken.push(side)
  }

  pools.subscribe((pool) => {
    const { number, key, createdTs } = pool.identity
    const track = tracks.get(number)
    if (track !== undefined) {
      track.present = updated(track.present, pool)
      return
    }
    const [isPricing0, isPricing1] = [isTrusted(key.token1), isTrusted(key.token0)]
    if (!isPricing0 && !isPricing1) return
    const window: Track = { past: [], present: { ts: createdTs, pool } }
    tracks.set(number, window)
    if (isPricing0) addSide(key.token0, { window, isToken0: true })
    if (isPricing1) addSide(key.token1, { window, isToken0: false })
  })

  return {
    leave: (number, ts) => {
      const track = tracks.get(number)
      if (track === undefined || track.present.ts >= ts) return
      track.past.push(track.present)
      track.present = { ts, pool: track.present.pool }
      dropEnded(track, ts)
    },
    restore: (number, steps) => {
      const track = tracks.get(number)
      const last = steps.at(-1)
      if (track === undefined || last === undefined) return
      track.past = steps.slice(0, -1)
      track.present = { ts: last.ts, pool: track.present.pool }
    },
    pools: function* () {
      for (const { present } of tracks.values()) yield present.pool
    },
    sidesOf: (token) => sides.get(token) ?? [],
  }
}

/**
 * Visits the states that held during the window that ends with `toTs`, newest first, each with its
 * seconds, until `see` refuses one. False if it did, or if the window's start is not known.
 */
export const everyState = (
  { past, present }: PoolWindow,
  toTs: UnixSeconds,
  see: (step: PoolStep, seconds: number) => boolean,
): boolean => {
  const fromTs = toTs - poolWindowSeconds
  let untilTs = toTs
  for (let index = past.length; index >= 0; index--) {
    const step = past[index] ?? present
    if (step.ts > toTs) continue
    if (!see(step, untilTs - Math.max(step.ts, fromTs))) return false
    if (step.ts <= fromTs) return true
    untilTs = step.ts
  }
  return false
}
