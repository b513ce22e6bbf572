import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into every process of a peer by `NODE_OPTIONS`: each writes its usage to its own file,
 * because only the process itself can read it on every system.
 */
const everyMs = 200
const folder = process.env.PEER_SPENDING_FOLDER

/** The same as peak-memory.ts, which older Node versions cannot load. */
const peakMb = () => {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const writeUsage = () => {
  const { user, system } = process.cpuUsage()
  const spent = { cpuSeconds: (user + system) / 1e6, peakMb: peakMb() }
  writeFileSync(`${folder}/${process.pid}.json`, JSON.stringify(spent))
}

if (isMainThread && folder !== undefined) {
  setInterval(writeUsage, everyMs).unref()
  process.on('exit', writeUsage)
}
