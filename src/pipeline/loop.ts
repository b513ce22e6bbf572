import type { Logger } from '../ports/process.ts'

/** What one step of a loop says about when the next is due. */
export type StepResult = {
  /** Milliseconds until the next step; null ends the loop. */
  readonly waitMs: number | null
}

export type Loop = {
  /** Resolves once the step under way has ended; no step begins after the call. */
  readonly stop: () => Promise<void>
  /** Makes the next step due now. */
  readonly poke: () => void
}

/** Back-off after a step that threw: a bug must not spin, and must not end the service. */
const throwWaitMs = 5000

/**
 * Runs a step for ever, one at a time, until it is stopped. `gatherMs` lies between a poke and the
 * step that it brings, so that many pokes in a row bring one.
 */
export const startLoop = (
  name: string,
  step: () => Promise<StepResult>,
  logger: Logger,
  { gatherMs = 0 }: { readonly gatherMs?: number } = {},
): Loop => {
  let stopped = false
  let wake: ((inMs: number) => void) | null = null
  let isPoked = false

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      let timer = setTimeout(resolve, isPoked ? Math.min(gatherMs, milliseconds) : milliseconds)
      wake = (inMs) => {
        clearTimeout(timer)
        if (inMs === 0) resolve()
        else timer = setTimeout(resolve, Math.min(inMs, milliseconds))
      }
    })

  const run = async (): Promise<void> => {
    while (!stopped) {
      isPoked = false
      const { waitMs } = await step().catch((cause: unknown): StepResult => {
        logger.error(`${name}: a step failed unexpectedly`, { cause: String(cause) })
        return { waitMs: throwWaitMs }
      })
      if (waitMs === null) return
      if (!stopped) await pause(waitMs)
      wake = null
    }
  }

  const done = run()
  return {
    stop: () => {
      stopped = true
      wake?.(0)
      return done
    },
    poke: () => {
      // The first of several counts: whoever goes on poking must not put it off for ever.
      if (!isPoked) wake?.(gatherMs)
      isPoked = true
    },
  }
}
