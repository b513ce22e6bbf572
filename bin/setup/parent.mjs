import { readFileSync } from 'node:fs'

const pollMs = 1000
const shells = ['sh', 'dash', 'ash', 'bash', 'zsh', 'ksh', 'busybox']

/** `/proc/<pid>/stat`: pid (name) state parent ...; null where there is no such thing. */
const readProcess = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(stat.slice(end + 2).split(' ')[1]),
    }
  } catch {
    return null
  }
}

/** Our parent, and behind the shell that npm puts between, npm itself. */
const lineage = () => {
  const parent = readProcess(process.ppid)
  const behind = parent !== null && shells.includes(parent.name) ? [parent.parent] : []
  return [process.ppid, ...behind].join(' ')
}

/** Calls `onGone` once when npm, having started us, has died without a word (kill -9). */
export const watchNpm = (onGone) => {
  if (process.env.npm_lifecycle_event === undefined) return
  const first = lineage()
  const timer = setInterval(() => {
    if (lineage() === first) return
    clearInterval(timer)
    onGone()
  }, pollMs)
  timer.unref()
}
