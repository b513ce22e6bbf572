/*
 * What time it is for the service: the reader's own clock may be wrong by minutes, and ages would
 * be wrong by as much.
 */

let offsetSeconds = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Unix seconds. */
const ownNow = (): number => Date.now() / 1000

/** Unix seconds by the service's clock. */
export const nowTs = (): number => Math.floor(ownNow() + offsetSeconds)

/** A reply's time is a whole second and some milliseconds old: less than that is no difference. */
const offsetSecondsMin = 1.5

/** The service has just said what time it is. */
export const setServiceTime = (ts: number): void => {
  const offset = ts - ownNow()
  if (Math.abs(offset - offsetSeconds) <= offsetSecondsMin) return
  offsetSeconds = offset
  for (const each of listeners) each()
}

/** Calls back every second until told to stop; one timer for everybody. */
export const everySecond = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
