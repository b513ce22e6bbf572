/** Time for a shutdown; the launcher waits a little longer before it kills the process. */
const stopMsMax = 5000

/**
 * Combines all requests to stop in one `AbortSignal`: a signal, the end of the launcher (its IPC
 * channel closes) or a closed output. Ctrl-C arrives twice, directly and through the launcher; only
 * the first counts. Calls `giveUp` if the shutdown takes longer than `msMax`.
 */
export const listenForStop = (giveUp: () => void, msMax = stopMsMax): AbortSignal => {
  const controller = new AbortController()
  const request = () => {
    if (controller.signal.aborted) return
    setTimeout(giveUp, msMax)
    controller.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request)
  if (process.connected) process.once('disconnect', request)
  process.stdout.on('error', request)
  return controller.signal
}
