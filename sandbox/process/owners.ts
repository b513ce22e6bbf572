/** Time that a sandbox without owners waits for a new one. */
const graceSeconds = 60

/**
 * Counts the owners of the sandbox, which ends a grace period after the last one has left. A
 * sandbox that was started by hand never loses its first owner, the terminal.
 */
export type Owners = {
  /** Adds an owner; the returned function removes it. */
  readonly add: () => () => void
  readonly count: () => number
}

export function createOwners(onAbandoned: () => void, graceMillis = graceSeconds * 1_000): Owners {
  let owners = 0
  let timer: NodeJS.Timeout | null = null
  const leave = (): void => {
    owners -= 1
    if (owners === 0) timer = setTimeout(onAbandoned, graceMillis)
  }
  return {
    add: () => {
      owners += 1
      if (timer) clearTimeout(timer)
      timer = null
      let hasLeft = false
      return () => {
        if (!hasLeft) leave()
        hasLeft = true
      }
    },
    count: () => owners,
  }
}
