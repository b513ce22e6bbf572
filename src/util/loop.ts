export type StepResult = {
  /** Milliseconds until the next step; null ends the loop. */
  readonly waitMs: number | null
}

export type Loop = {
  /** Resolves once the running step has ended; no step starts after the call. */
  readonly stop: () => Promise<void>
  /** Makes the next step due now. */
  readonly wake: () => void
}

type LoopOptions = {
  /** Reports the error of a step. It is a bug, but the loop continues. */
  readonly onError: (error: unknown) => void
  /** Delay between a wake and its step, so that many wakes cause one step. */
  readonly gatherMs?: number
}

/** Keeps a step that always throws from spinning. */
const errorWaitMs = 5000

/** Runs a step repeatedly, one at a time, until the loop is stopped. */
export const startLoop = (
  step: () => Promise<StepResult>,
  { onError, gatherMs = 0 }: LoopOptions,
): Loop => {
  let isStopped = false
  let isWoken = false
  let shortenPause: ((inMs: number) => void) | null = null

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      let timer = setTimeout(resolve, isWoken ? Math.min(gatherMs, milliseconds) : milliseconds)
      shortenPause = (inMs) => {
        clearTimeout(timer)
        if (inMs === 0) resolve()
        else timer = setTimeout(resolve, Math.min(inMs, milliseconds))
      }
    })

  const run = async (): Promise<void> => {
    while (!isStopped) {
      isWoken = false
      const { waitMs } = await step().catch((error: unknown): StepResult => {
        onError(error)
        return { waitMs: errorWaitMs }
      })
      if (waitMs === null) return
      if (!isStopped) await pause(waitMs)
      shortenPause = null
    }
  }

  const done = run()
  return {
    stop: () => {
      isStopped = true
      shortenPause?.(0)
      return done
    },
    wake: () => {
      // Only the first wake counts: further ones must not delay the step.
      if (!isWoken) shortenPause?.(gatherMs)
      isWoken = true
    },
  }
}
