/** A reproducible generator: the same seed gives the same sequence on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  readonly next: () => number
  /** Uniform in [low, high). */
  readonly between: (low: number, high: number) => number
  /** Standard normal (Box-Muller). */
  readonly normal: () => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  /** The complete state: `createRandom(state())` continues the sequence. */
  readonly state: () => number
}

/** Mulberry32; 32 bits of state suffice for simulated prices and trades. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number): number => low + (high - low) * next()
  return {
    next,
    between,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
    state: () => state,
  }
}

/** Derives a seed per subject, so that a draw for one does not shift the others. */
export function seedFor(seed: number, subject: string): number {
  let hash = (2166136261 ^ seed) >>> 0
  for (const char of subject) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
