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
  /** Tells all who listen of so many pools; answers how many ms that took. */
  readonly tell: (count: number, bytes?: number) => Promise<number>
  /**
   * Abuses while a normal client asks on, whose p99 must stay below 50 ms; `abuse` is done again
   * where the machine was too busy to tell.
   */
  readonly beside: <T>(what: string, abuse: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

const isDeep = process.env.TEST_TIER === 'T1'

/** How many of something: few in the quick tier, all of them in the deep one. */
export const inTier = (quick: number, deep: number): number => (isDeep ? deep : quick)

const start = async <Ready>(file: string, argument: string, execArgv: readonly string[] = []) => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [argument], { execArgv: [...execArgv] })
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`)))
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [Ready]
  exited.catch(() => {})
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
/** Whatever else runs on this machine can only add to what is measured: the best round counts. */
const roundsMax = 5

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
  const order = <Answer = Usage>(given: Order) => told<Answer>(child, given)
  return {
    port,
    usage: () => order({ kind: 'usage' }),
    tell: (count, bytes = 0) => order<number>({ kind: 'news', count, bytes }),
    beside: async (what, abuse) => {
      const calmly = async () => (await measure(bystander, async () => {})).latencies
      let before = await calmly()
      for (let round = 1; ; round++) {
        const { value, latencies } = await measure(bystander, abuse)
        const after = latencies.p99Ms < p99MsMax ? before : await calmly()
        const calm = before.p99Ms > after.p99Ms ? before : after
        before = after
        say(what, calm, latencies)
        expect(latencies.failed).toBe(0)
        const p99Max = Math.max(p99MsMax, 3 * calm.p99Ms)
        if (latencies.p99Ms >= p99Max && round < roundsMax) continue
        expect(latencies.p99Ms).toBeLessThan(p99Max)
        const { logged } = await order({ kind: 'usage' })
        expect(logged).toEqual([])
        return value
      }
    },
    stop: async () => {
      await Promise.all([end(child), end(bystander)])
    },
  }
}

/** Whatever was done since `before`: no connection of it is left, and no memory. */
export const expectNothingLeft = async (
  victim: Victim,
  before: Usage,
  grownBytesMax = 20e6,
): Promise<void> => {
  const connections = async () => (await victim.usage()).connections
  // One is the normal client's.
  await expect.poll(connections, { timeout: 10_000 }).toBeLessThanOrEqual(before.connections + 1)
  const { heldBytes } = await victim.usage()
  expect(heldBytes - before.heldBytes).toBeLessThan(grownBytesMax)
}
