/*
 * The service's clock. The reader's clock may be wrong by minutes, and ages would be wrong with it.
 */

let offsetSeconds = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Unix seconds of this machine: for waits, which the service's clock may not change. */
export const browserNow = (): number => Date.now() / 1000

/** Unix seconds by the service's clock. */
export const nowTs = (): number => Math.floor(browserNow() + offsetSeconds)

/** Response times are whole seconds and some milliseconds old; smaller offsets are noise. */
const offsetSecondsMin = 1.5

/** Sets the clock by a response of the service. */
export const setServiceTime = (ts: number): void => {
  const offset = ts - browserNow()
  if (Math.abs(offset - offsetSeconds) <= offsetSecondsMin) return
  offsetSeconds = offset
  for (const listener of listeners) listener()
}

/** Calls the listener every second until the returned function is called; all share one timer. */
export const everySecond = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const listener of listeners) listener()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
