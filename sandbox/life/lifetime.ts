/** How long a sandbox without an owner waits to be found again. */
const graceSeconds = 60

/**
 * Who wants the sandbox to live. When the last holder has gone and nobody came for the grace
 * period, it ends by itself; one that was started by hand has its terminal as a holder for ever.
 */
export type Lifetime = {
  /** Returns the function with which the holder leaves. */
  readonly hold: () => () => void
  readonly holders: () => number
}

export function createLifetime(onLonely: () => void, graceMillis = graceSeconds * 1_000): Lifetime {
  let holders = 0
  let timer: NodeJS.Timeout | null = null
  const leave = (): void => {
    holders -= 1
    if (holders === 0) timer = setTimeout(onLonely, graceMillis)
  }
  return {
    hold: () => {
      holders += 1
      if (timer) clearTimeout(timer)
      timer = null
      let left = false
      return () => {
        if (!left) leave()
        left = true
      }
    },
    holders: () => holders,
  }
}
