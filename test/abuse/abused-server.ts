import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Latencies } from './normal-client.ts'
import type { Command, ProcessTime, Settings, Usage } from './server-process.ts'

/** A server that may be abused, and somebody who is not to notice. */
export type AbusedServer = {
  readonly port: number
  readonly usage: () => Promise<Usage>
  /** Tells all who listen of so many pools; answers how many ms of the processor that took. */
  readonly publish: (count: number, bytes?: number) => Promise<number>
  /**
   * Abuses while a normal client asks on, whose p99 must stay below 50 ms of a processor that has
   * nothing else to do; `abuse` is done again where the machine was too busy to tell.
   */
  readonly whileServing: <T>(what: string, abuse: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

const isDeep = process.env.TEST_TIER === 'T1'

/** How many of something: few in the quick tier, all of them in the deep one. */
export const byTier = (quick: number, deep: number): number => (isDeep ? deep : quick)

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

const p99MsMax = 50
/** Whatever else runs on this machine can only add to what is measured: the best round counts. */
const roundsMax = 5

/** What the normal client meets meanwhile. */
const measure = async <T>(bystander: ChildProcess, what: () => Promise<T>) => {
  bystander.send('begin')
  const value = await what()
  return { value, latencies: await told<Latencies>(bystander, 'end') }
}

/**
 * How many times as long as its work the server needs for it, since others work on the processors
 * as well: what it would answer in 50 ms takes it so many times as long.
 */
const slownessBetween = (before: ProcessTime, after: ProcessTime): number =>
  Math.max(1, (after.activeMs - before.activeMs) / (after.cpuMs - before.cpuMs))

type Round = { readonly calm: Latencies; readonly abused: Latencies; readonly slowness: number }

const say = (what: string, { calm, abused, slowness }: Round): void => {
  const others = `${calm.p99Ms.toFixed(1)} ms calm, ${slowness.toFixed(1)} times as slow`
  process.stderr.write(`${what}: p99 ${abused.p99Ms.toFixed(1)} ms of ${abused.asked}, ${others}\n`)
}

export const startAbusedServer = async (settings: Settings = {}): Promise<AbusedServer> => {
  const { child, ready: port } = await start<number>(
    './server-process.ts',
    JSON.stringify(settings),
    ['--expose-gc'],
  )
  const { child: bystander } = await start('./normal-client.ts', String(port))
  const order = <Answer = Usage>(given: Command) => told<Answer>(child, given)
  return {
    port,
    usage: () => order({ kind: 'usage' }),
    publish: (count, bytes = 0) => order<number>({ kind: 'news', count, bytes }),
    whileServing: async (what, abuse) => {
      const calmly = async () => (await measure(bystander, async () => {})).latencies
      let before = await calmly()
      for (let round = 1; ; round++) {
        const pace = await order<ProcessTime>({ kind: 'pace' })
        const { value, latencies } = await measure(bystander, abuse)
        const slowness = slownessBetween(pace, await order<ProcessTime>({ kind: 'pace' }))
        const after = latencies.p99Ms < p99MsMax ? before : await calmly()
        const calm = before.p99Ms > after.p99Ms ? before : after
        before = after
        say(what, { calm, abused: latencies, slowness })
        expect(latencies.failed).toBe(0)
        const p99Max = Math.max(p99MsMax * slowness, 3 * calm.p99Ms)
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

/** For what comes in a moment: only what never comes is to fail on a machine that is very busy. */
export const longPoll = { timeout: 120_000 }

/** Whatever was done since `before`: no connection of it is left, and no memory. */
export const expectNoLeak = async (
  victim: AbusedServer,
  before: Usage,
  grownBytesMax = 20e6,
): Promise<void> => {
  const connections = async () => (await victim.usage()).connections
  // One is the normal client's.
  await expect.poll(connections, longPoll).toBeLessThanOrEqual(before.connections + 1)
  const { heldBytes } = await victim.usage()
  expect(heldBytes - before.heldBytes).toBeLessThan(grownBytesMax)
}
