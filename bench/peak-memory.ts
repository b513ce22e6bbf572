import { readFileSync } from 'node:fs'

const highWater = /^VmHWM:\s+(\d+) kB$/m

/**
 * Peak resident memory of this process in MB. On Linux `maxRSS` includes the parent's memory from
 * before `exec` (getrusage(2)), so /proc is read instead.
 */
export const peakRssMb = (): number => {
  if (process.platform === 'linux') {
    const kilobytes = highWater.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kilobytes !== undefined) return Number(kilobytes) / 1024
  }
  return process.resourceUsage().maxRSS / 1024
}
