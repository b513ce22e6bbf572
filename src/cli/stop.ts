/** From the request to the end; the launcher waits a little longer before it kills. */
const stopMsMax = 5000

/**
 * Makes one `AbortSignal` of all that asks this process to stop: a signal, a vanished launcher
 * (its IPC channel closes, however it died) or a closed output. Repeats change nothing: a
 * terminal's Ctrl-C reaches us directly and once more through the launcher. A stop that hangs
 * ends after five seconds in `giveUp`.
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
