/** What one step of a loop says about when the next is due. */
export type StepResult = {
  /** Milliseconds until the next step; null ends the loop. */
  readonly waitMs: number | null
}

export type Loop = {
  /** Resolves once the step under way has ended; no step begins after the call. */
  readonly stop: () => Promise<void>
  /** Makes the next step due now. */
  readonly wake: () => void
}

type LoopOptions = {
  /** A step that threw is a bug: it must be reported, and must not end the service. */
  readonly onError: (error: unknown) => void
  /** Time between a wake and the step it brings, so that many wakes in a row bring one step. */
  readonly gatherMs?: number
}

/** Back-off after a step that threw, so that a bug does not spin. */
const errorWaitMs = 5000

/** Runs a step again and again, one at a time, until the loop is stopped. */
export const startLoop = (
  step: () => Promise<StepResult>,
  { onError, gatherMs = 0 }: LoopOptions,
): Loop => {
  let isStopped = false
  let isWoken = false
  let cutPause: ((inMs: number) => void) | null = null

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      let timer = setTimeout(resolve, isWoken ? Math.min(gatherMs, milliseconds) : milliseconds)
      cutPause = (inMs) => {
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
      cutPause = null
    }
  }

  const done = run()
  return {
    stop: () => {
      isStopped = true
      cutPause?.(0)
      return done
    },
    wake: () => {
      // The first of several wakes counts: further ones must not put the step off.
      if (!isWoken) cutPause?.(gatherMs)
      isWoken = true
    },
  }
}
