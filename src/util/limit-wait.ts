const stepMs = 100

/**
 * Calls back after that time, unless it is cancelled first. A suspension of this process counts as
 * one step: an answer that arrived in it is read before the time is over.
 */
export const startDeadline = (msMax: number, onLate: () => void): (() => void) => {
  let stepsLeft = Math.ceil(msMax / stepMs)
  const timer = setInterval(() => {
    stepsLeft -= 1
    if (stepsLeft > 0) return
    clearInterval(timer)
    onLate()
  }, stepMs)
  return () => clearInterval(timer)
}

/** Rejects if the work has no result after that time, which is counted as for a deadline. */
export const limitWait = async <T>(work: Promise<T>, msMax: number): Promise<T> => {
  let cancel = (): void => {}
  const late = new Promise<never>((_, reject) => {
    cancel = startDeadline(msMax, () => reject(new Error(`no answer within ${msMax} ms`)))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
