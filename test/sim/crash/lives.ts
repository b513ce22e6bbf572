import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import type { IndexHeader } from '../../../src/ports/store-batches.ts'
import type { Order, Said } from './indexing-process.ts'

const program = new URL('./indexing-process.ts', import.meta.url)

/** Without a report for this long a process counts as stuck, even on a busy machine. */
const stillMsMax = 120_000

/** How a process ended. */
export type Life = {
  /** The point at which it killed itself; null if it was killed from outside, or stopped. */
  readonly killedAt: string | null
  readonly ended: 'killed' | 'stopped'
  readonly wrong: readonly string[]
}

type Watched = Order & {
  /** Receives every write with the header after it; returns true at the end of the plot. */
  readonly stands: (header: IndexHeader | null, work: string) => boolean
  /** Kills it this long after it started to work; null: never. */
  readonly killAfterMs: number | null
}

const start = () => {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const loaded = Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
  return { child, isReady: loaded.then((message) => message !== null) }
}

const readPoint = (path: string): string | null => {
  try {
    const point = readFileSync(`${path}.killed`, 'utf8')
    rmSync(`${path}.killed`)
    return point
  } catch {
    return null
  }
}

const watch = (child: ChildProcess, { stands, killAfterMs, path }: Watched): Promise<Life> => {
  const wrong: string[] = []
  let isOver = false
  const kill = () => child.kill('SIGKILL')
  const alarm = (): void => {
    wrong.push('it is stuck')
    kill()
  }
  const timer = killAfterMs === null ? null : setTimeout(kill, killAfterMs)
  let stuck = setTimeout(alarm, stillMsMax)
  child.on('message', (said: Said) => {
    clearTimeout(stuck)
    stuck = setTimeout(alarm, stillMsMax)
    if (said.kind === 'wrong') wrong.push(said.text)
    if (said.kind !== 'stands' || isOver || !stands(said.header, said.work)) return
    isOver = true
    child.send('stop')
  })
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(stuck)
      if (timer !== null) clearTimeout(timer)
      if (signal !== 'SIGKILL' && code !== 0) wrong.push(`it ended with ${signal ?? code}`)
      const ended = signal === 'SIGKILL' ? 'killed' : 'stopped'
      resolve({ killedAt: readPoint(path), ended, wrong })
    })
  })
}

/** Loading takes longer than most runs: this many processes load while one runs. */
const aheadMax = 2

/** Indexer processes, one after another. */
export const createLives = () => {
  const ahead = Array.from({ length: aheadMax }, start)
  return {
    live: async (order: Watched): Promise<Life> => {
      ahead.push(start())
      const { child, isReady } = ahead.shift() as ReturnType<typeof start>
      if (!(await isReady)) throw new Error('an indexing process ended before it began')
      const { stands: _, killAfterMs: __, ...sent } = order
      const life = watch(child, order)
      child.send(sent satisfies Order)
      return life
    },
    end: async (): Promise<void> => {
      const alive = ahead.map(({ child }) => child).filter(({ exitCode }) => exitCode === null)
      const gone = alive.map((child) => once(child, 'exit'))
      for (const child of alive) child.kill('SIGKILL')
      await Promise.all(gone)
    },
  }
}

export type Lives = ReturnType<typeof createLives>
