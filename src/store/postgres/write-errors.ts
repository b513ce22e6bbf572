/**
 * SQLSTATEs (postgresql.org/docs, appendix A) of classes 08 and 57P: the connection broke, perhaps
 * between a commit and its answer. After any other SQLSTATE nothing was committed.
 */
const brokenPattern = /^(?:08|57P)/
const sqlState = /^[0-9A-Z]{5}$/

/**
 * Whether a failed write may be stored: its connection broke, so the answer to its commit may be
 * lost. Only a read of the store can decide.
 */
export const isInDoubt = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !sqlState.test(code) || code === 'EPIPE' || brokenPattern.test(code)
}

const leaseLostName = 'LeaseLost'

/** A write rejects with it if the lease has another generation; its transaction is rolled back. */
export const createLeaseLostError = (generation: number): Error =>
  Object.assign(new Error(`store: lease generation ${generation} was taken over`), {
    name: leaseLostName,
  })

export const isLeaseLostError = (error: unknown): boolean =>
  error instanceof Error && error.name === leaseLostName
