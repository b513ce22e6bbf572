const hourMs = 3_600_000

/**
 * For tests that are not about the limits of the store: the limits end a transaction that is silent
 * for some seconds, which happens to a test on a busy machine.
 */
export const unlimited = {
  connectMsMax: hourMs,
  lockMsMax: hourMs,
  idleInTransactionMsMax: hourMs,
  silenceMsMax: hourMs,
}
