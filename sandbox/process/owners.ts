/** How long a sandbox without an owner waits to be found again. */
const graceSeconds = 60

/**
 * Who wants the sandbox to live. When the last holder has gone and nobody came for the grace
 * period, it ends by itself; one that was started by hand has its terminal as a holder for ever.
 */
export type Owners = {
  /** Returns the function with which the holder leaves. */
  readonly add: () => () => void
  readonly count: () => number
}

export function createOwners(onLonely: () => void, graceMillis = graceSeconds * 1_000): Owners {
  let holders = 0
  let timer: NodeJS.Timeout | null = null
  const leave = (): void => {
    holders -= 1
    if (holders === 0) timer = setTimeout(onLonely, graceMillis)
  }
  return {
    add: () => {
      holders += 1
      if (timer) clearTimeout(timer)
      timer = null
      let left = false
      return () => {
        if (!left) leave()
        left = true
      }
    },
    count: () => holders,
  }
}
