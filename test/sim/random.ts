/** Chance that is the same for the same seed, and unlike that of the next one. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0

  /** 0 to 1 (splitmix32, after Steele, Lea and Flood: Fast splittable pseudorandom generators). */
  const next = (): number => {
    state = (state + 0x9e37_79b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0_aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a_2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))

  return {
    next,
    /** A whole number, both ends included. */
    between,
    /** True in so many of a hundred cases. */
    percent: (share: number): boolean => next() * 100 < share,
    pick: <T>(items: readonly T[]): T => items[between(0, items.length - 1)] as T,
    /** A name by its weight. */
    weighted: <Name extends string>(weights: Readonly<Record<Name, number>>): Name => {
      const entries = Object.entries(weights) as [Name, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return (entries.at(-1) as [Name, number])[0]
    },
  }
}

export type Random = ReturnType<typeof createRandom>
