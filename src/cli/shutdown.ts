/** Runs all steps in reverse order; a failed step does not stop the others. */
export type Shutdown = {
  readonly add: (step: () => Promise<void>) => void
  readonly run: () => Promise<void>
}

export const createShutdown = (onFault: (error: unknown) => void): Shutdown => {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (step) => {
      steps.push(step)
    },
    run: async () => {
      for (let step = steps.pop(); step !== undefined; step = steps.pop())
        await step().catch(onFault)
    },
  }
}
