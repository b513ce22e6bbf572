/** Yields to the event loop every few steps of long work. */
export type TimeSlicer = {
  /** Returns a promise to await only when it is time to yield. */
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

/** Work in slices of a few milliseconds. A yielded promise is awaited before the next slice. */
export type SlicedWork<T> = Generator<unknown, T>

/** Runs sliced work and yields to the event loop between slices. */
export const runInSlices = async <T>(work: SlicedWork<T>): Promise<T> => {
  let awaited: unknown
  for (;;) {
    await (awaited ?? yieldToEventLoop())
    const slice = work.next()
    if (slice.done) return slice.value
    awaited = slice.value
  }
}
