const tickMs = 50

/**
 * How long this process has been kept from its work since it asked first, in ms: how late all of
 * its ticks were together. Whatever takes its time by a timer may be so much later.
 */
export const createStallMeter = (): (() => number) => {
  let lateMs = 0
  let lastMs = performance.now()
  const tick = (): void => {
    const nowMs = performance.now()
    lateMs += Math.max(0, nowMs - lastMs - tickMs)
    lastMs = nowMs
  }
  setInterval(tick, tickMs).unref()
  return () => lateMs
}
