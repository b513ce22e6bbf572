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

/** Runs a step for ever, one at a time, until it is stopped. */
export const startLoop = (name: string, step: () => Promise<StepResult>, logger: Logger): Loop => {
  let stopped = false
  let wake: (() => void) | null = null
  let isPoked = false

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, isPoked ? 0 : milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
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
      wake?.()
      return done
    },
    poke: () => {
      isPoked = true
      wake?.()
    },
  }
}
