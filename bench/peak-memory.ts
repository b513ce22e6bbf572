import { readFileSync } from 'node:fs'

const highWater = /^VmHWM:\s+(\d+) kB$/m

/**
 * The most resident memory that this process has had, in MB. Linux counts in `maxRSS` what the
 * process was before it became this program, a copy of the one that started it (getrusage(2)):
 * /proc tells of the program alone.
 */
export const peakRssMb = (): number => {
  if (process.platform === 'linux') {
    const kilobytes = highWater.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kilobytes !== undefined) return Number(kilobytes) / 1024
  }
  return process.resourceUsage().maxRSS / 1024
}
