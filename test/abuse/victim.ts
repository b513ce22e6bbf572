import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Latencies } from './bystander.ts'
import type { Order, Settings, Usage } from './serve.ts'

/** A server that may be abused, and somebody who is not to notice. */
export type Victim = {
  readonly port: number
  readonly usage: () => Promise<Usage>
  readonly tell: (count: number, bytes?: number) => Promise<Usage>
  /** Abuses while a normal client asks on; its p99 must stay what it may be. */
  readonly beside: <T>(what: string, abuse: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

const isDeep = process.env.TEST_TIER === 'deep'

/** How many of something: few in the quick tier, all of them in the deep one. */
export const inTier = (quick: number, deep: number): number => (isDeep ? deep : quick)

const start = async <Ready>(file: string, argument: string, execArgv: readonly string[] = []) => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [argument], { execArgv: [...execArgv] })
  const [ready] = (await once(child, 'message')) as [Ready]
  return { child, ready }
}

const told = async <Answer>(child: ChildProcess, order: object | string): Promise<Answer> => {
  const answered = once(child, 'message')
  child.send(order)
  return (await answered)[0] as Answer
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

/** Enough for a p99 of them to mean something. */
const askedMin = 300
const p99MsMax = 50

/** What the normal client meets until `isDone`, and at least `askedMin` questions long. */
const measure = async <T>(bystander: ChildProcess, what: () => Promise<T>) => {
  bystander.send('begin')
  const began = performance.now()
  const value = await what()
  const shortMs = Math.max(0, askedMin * 4 - (performance.now() - began))
  await sleep(shortMs)
  const latencies = await told<Latencies>(bystander, 'end')
  return { value, latencies }
}

const say = (what: string, calm: Latencies, abused: Latencies): void => {
  const calmText = `${calm.p99Ms.toFixed(1)} ms calm`
  const text = `${what}: p99 ${abused.p99Ms.toFixed(1)} ms of ${abused.asked}, ${calmText}`
  process.stderr.write(`${text}\n`)
}

export const startVictim = async (settings: Settings = {}): Promise<Victim> => {
  const { child, ready: port } = await start<number>('./serve.ts', JSON.stringify(settings), [
    '--expose-gc',
  ])
  const { child: bystander } = await start('./bystander.ts', String(port))
  const order = (given: Order) => told<Usage>(child, given)
  return {
    port,
    usage: () => order({ kind: 'usage' }),
    tell: (count, bytes = 0) => order({ kind: 'news', count, bytes }),
    beside: async (what, abuse) => {
      const { latencies: calm } = await measure(bystander, async () => {})
      const { value, latencies } = await measure(bystander, abuse)
      say(what, calm, latencies)
      expect(latencies.failed).toBe(0)
      expect(latencies.p99Ms).toBeLessThan(Math.max(p99MsMax, 3 * calm.p99Ms))
      const { logged } = await order({ kind: 'usage' })
      expect(logged).toEqual([])
      return value
    },
    stop: async () => {
      await Promise.all([end(child), end(bystander)])
    },
  }
}
