/**
 * SQLSTATEs (postgresql.org/docs, appendix A) of statements that did nothing. Those of classes 08
 * and 57 break the connection, perhaps between a commit and its answer.
 */
const brokenPattern = /^(?:08|57P)/
const sqlState = /^[0-9A-Z]{5}$/

/**
 * Whether a write that failed may be stored all the same: its connection broke, so that the answer
 * to its commit may be what was lost. Only the store can tell.
 */
export const isInDoubt = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !sqlState.test(code) || code === 'EPIPE' || brokenPattern.test(code)
}

const leaseLostName = 'LeaseLost'

/** What a write rejects with that found another writer's generation in the lease: nothing stays. */
export const createLeaseLostError = (fence: number): Error =>
  Object.assign(new Error(`store: the lease of generation ${fence} is another's now`), {
    name: leaseLostName,
  })

export const isLeaseLostError = (error: unknown): boolean =>
  error instanceof Error && error.name === leaseLostName
