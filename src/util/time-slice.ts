/** Yields to the event loop after every so many steps, so that long work blocks it only briefly. */
export type TimeSlicer = {
  /** Await what it returns if that is a promise; most of the time it is not. */
  readonly step: () => Promise<void> | undefined
}

export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const createTimeSlicer = (stepsPerSlice: number): TimeSlicer => {
  let steps = 0
  return {
    step: () => {
      steps += 1
      return steps % stepsPerSlice === 0 ? yieldToEventLoop() : undefined
    },
  }
}

/**
 * Work in slices of a few milliseconds at most. What a slice yields, if anything, is awaited before
 * the next one runs.
 */
export type SlicedWork<T> = Generator<unknown, T>

/** Runs such work and yields to the event loop between any two slices. */
export const runInSlices = async <T>(work: SlicedWork<T>): Promise<T> => {
  let awaited: unknown
  for (;;) {
    await (awaited ?? yieldToEventLoop())
    const slice = work.next()
    if (slice.done) return slice.value
    awaited = slice.value
  }
}
