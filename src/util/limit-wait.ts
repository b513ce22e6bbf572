const stepMs = 100

/**
 * Rejects if the work has no result after that time. A suspension of this process counts as one
 * step: an answer that arrived in it is read before the wait ends.
 */
export const limitWait = async <T>(work: Promise<T>, msMax: number): Promise<T> => {
  let stepsLeft = Math.ceil(msMax / stepMs)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      stepsLeft -= 1
      if (stepsLeft === 0) reject(new Error(`no answer within ${msMax} ms`))
    }, stepMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearInterval(timer)
  }
}
