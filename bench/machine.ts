import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import type { Noise } from './figure.ts'

/** Figures of two runs are comparable if all of this is equal. */
export type Machine = {
  readonly processor: string
  readonly processors: number
  readonly memoryGb: number
  readonly system: string
  /** Major version only, because it decides the speed of JavaScript. */
  readonly node: string
}

export const thisMachine = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  processors: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  node: `v${process.versions.node.split('.')[0]}`,
})

/** Runnable processes in the last minute, on average. */
export const loadNow = (): number => loadavg()[0] ?? 0

type Loop = { readonly wallMs: number; readonly cpuMs: number }

const loopSteps = 100_000_000

/** A fixed loop, about 100 ms of one core. */
const runLoop = (): Loop => {
  const cpuBefore = process.threadCpuUsage()
  const startedMs = performance.now()
  let mix = 1
  for (let step = 0; step < loopSteps; step++) mix = Math.imul(mix ^ step, 0x9e37_79b1)
  const wallMs = performance.now() - startedMs
  const { user, system } = process.threadCpuUsage(cpuBefore)
  // Uses the result, so that the loop cannot be optimized away.
  if (mix === 0.5) throw new Error('mix must be an integer')
  return { wallMs, cpuMs: (user + system) / 1000 }
}

/** Measures how steady the machine is under other load or thermal throttling. */
export const createNoiseMeter = () => {
  const loops: Loop[] = []
  return {
    /** Called between two rounds. */
    measure: (): void => {
      loops.push(runLoop())
    },
    noise: (): Noise => {
      const loopsMs = loops.map(({ wallMs }) => wallMs)
      const [wall, cpu] = [
        loopsMs.reduce((sum, ms) => sum + ms, 0),
        loops.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      ]
      return {
        loopsMs,
        spread: Math.max(...loopsMs) / Math.min(...loopsMs) - 1,
        waited: Math.max(0, 1 - cpu / wall),
      }
    },
  }
}
