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
