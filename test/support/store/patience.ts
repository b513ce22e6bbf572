const hourMs = 3_600_000

/**
 * Where the limits of the store are not the subject: they end the transaction of whoever says
 * nothing for some seconds, and a test on a busy machine may.
 */
export const unlimited = {
  connectMsMax: hourMs,
  lockMsMax: hourMs,
  idleInTransactionMsMax: hourMs,
  silenceMsMax: hourMs,
}
