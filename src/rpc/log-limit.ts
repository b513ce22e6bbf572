import type { Logger } from '../ports/runtime.ts'

/** Smaller round responses are common; no known provider cuts below. */
const roundLogsMin = 1000
/** Known limits are multiples of this, or powers of two. */
const roundLogs = 500
/** Smaller responses are never the largest of a busy chain. */
const largestLogsMin = 100

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

const isRound = (count: number): boolean =>
  count >= roundLogsMin && (count % roundLogs === 0 || isPowerOfTwo(count))

/** What the sizes of an endpoint's log responses show (docs/methodology.md §7). */
export type LogLimit = {
  readonly host: string
  /** A response of this size may be cut: its parts must be read too. */
  readonly isSuspicious: (count: number) => boolean
  /** The endpoint is known to cut responses, and this one has that size. */
  readonly isCut: (count: number) => boolean
  readonly recordResponse: (count: number) => void
  /** The parts of a response of this size hold no more. */
  readonly recordComplete: (count: number) => void
  /** The parts held more. False if only some logs were omitted: larger responses came before. */
  readonly recordCut: (count: number) => boolean
  /** Nothing smaller can be read to check a response. */
  readonly warnUnchecked: (count: number) => void
  readonly cutAt: () => number | null
}

export const createLogLimit = (deps: {
  readonly host: string
  readonly logger: Logger
}): LogLimit => {
  const { host, logger } = deps
  let largest = 0
  /** No response of the endpoint is cut below this size. */
  let proven = 0
  let cutAt: number | null = null
  let isUncheckedLogged = false

  const isCut = (count: number): boolean => cutAt !== null && count >= cutAt

  return {
    host,
    isSuspicious: (count) => isRound(count) || (count >= largestLogsMin && count >= proven),
    isCut,
    recordResponse: (count) => {
      largest = Math.max(largest, count)
      if (cutAt !== null && count > cutAt) cutAt = null
    },
    recordComplete: (count) => {
      proven = Math.max(proven, count)
    },
    recordCut: (count) => {
      if (count < largest || count < largestLogsMin) return false
      if (cutAt === null) {
        const message = 'RPC endpoint cuts log responses without an error, smaller ranges are read'
        logger.warn(message, { host, logs: count })
      }
      cutAt = Math.min(cutAt ?? count, count)
      return true
    },
    warnUnchecked: (count) => {
      if (isUncheckedLogged || !(isRound(count) || isCut(count))) return
      isUncheckedLogged = true
      logger.warn('Logs of one block may be cut and cannot be read in parts', { host, logs: count })
    },
    cutAt: () => cutAt,
  }
}

/** For the source's status; null if no endpoint is known to cut. */
export const describeCuts = (
  reports: readonly { readonly host: string; readonly logsCutAt: number | null }[],
): string | null => {
  const cutting = reports.flatMap(({ host, logsCutAt }) =>
    logsCutAt === null ? [] : `${host} cuts log responses at ${logsCutAt} without an error`,
  )
  return cutting.length === 0 ? null : `${cutting.join(', ')}: smaller ranges are read`
}
