/** Lets other work run every so many steps, so that long work blocks nobody for long. */
export type Pace = {
  /** To be awaited when it returns a promise, which most of the time it does not. */
  readonly step: () => Promise<void> | undefined
}

export const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const createPace = (stepsPerSlice: number): Pace => {
  let steps = 0
  return {
    step: () => {
      steps += 1
      return steps % stepsPerSlice === 0 ? rest() : undefined
    },
  }
}

/**
 * Work in slices, each of which keeps others waiting for a few milliseconds at most. What one
 * yields, if anything, is to be awaited before the next one.
 */
export type Sliced<T> = Generator<unknown, T>

/** Does such work while others have their turns between any two slices. */
export const inSlices = async <T>(work: Sliced<T>): Promise<T> => {
  let awaited: unknown
  for (;;) {
    await (awaited ?? rest())
    const slice = work.next()
    if (slice.done) return slice.value
    awaited = slice.value
  }
}
