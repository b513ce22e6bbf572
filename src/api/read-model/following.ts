/** Does something again and again, sooner when poked. */
export type Following = {
  /** Does nothing while it runs already. */
  readonly start: () => void
  /** Once the first turn has ended, however it went. */
  readonly hasTurned: Promise<void>
  /** Resolves once what is under way has ended. */
  readonly stop: () => Promise<void>
  /** Makes the next turn due now. */
  readonly poke: () => void
}

/** `turn` must not reject. */
export const createFollowing = (turn: () => Promise<void>, pollMs: number): Following => {
  let running: Promise<void> | null = null
  let isStopped = false
  let isPoked = false
  let wake: () => void = () => {}
  const first = Promise.withResolvers<void>()

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      if (isPoked || isStopped) return resolve()
      const timer = setTimeout(resolve, pollMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!isStopped) {
      isPoked = false
      await turn()
      first.resolve()
      await pause()
    }
  }

  return {
    hasTurned: first.promise,
    start: () => {
      if (running !== null) return
      isStopped = false
      running = run()
    },
    stop: async () => {
      isStopped = true
      wake()
      await running
      running = null
    },
    poke: () => {
      isPoked = true
      wake()
    },
  }
}
