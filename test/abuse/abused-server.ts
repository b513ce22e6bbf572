import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Latencies } from './normal-client.ts'
import type { Command, ProcessTime, Settings, Usage } from './server-process.ts'

/** A server under abuse, with a normal client beside it. */
export type AbusedServer = {
  readonly port: number
  readonly usage: () => Promise<Usage>
  /** Publishes `count` pool events; returns the CPU time in ms. */
  readonly publish: (count: number, bytes?: number) => Promise<number>
  /**
   * Runs `abuse` while a normal client sends requests, whose p99 must stay below 50 ms on an idle
   * processor. Repeats `abuse` if the machine was too busy to measure.
   */
  readonly whileServing: <T>(what: string, abuse: () => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

const isDeep = process.env.TEST_TIER === 'T1'

/** Chooses a count by test tier. */
export const byTier = (quick: number, deep: number): number => (isDeep ? deep : quick)

const start = async <Ready>(file: string, argument: string, execArgv: readonly string[] = []) => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [argument], { execArgv: [...execArgv] })
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`)))
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [Ready]
  exited.catch(() => {})
  return { child, ready }
}

const ask = async <Answer>(child: ChildProcess, command: object | string): Promise<Answer> => {
  const answered = once(child, 'message')
  child.send(command)
  return (await answered)[0] as Answer
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

const p99MsMax = 50
/** Other load can only increase a measurement, so the best round counts. */
const roundsMax = 5

/** Measures the normal client's latencies during `what`. */
const measure = async <T>(normalClient: ChildProcess, what: () => Promise<T>) => {
  normalClient.send('begin')
  const value = await what()
  return { value, latencies: await ask<Latencies>(normalClient, 'end') }
}

/**
 * Wall time per CPU time of the server's work: the factor by which other load slows it down.
 */
const slownessBetween = (before: ProcessTime, after: ProcessTime): number =>
  Math.max(1, (after.activeMs - before.activeMs) / (after.cpuMs - before.cpuMs))

type Round = { readonly calm: Latencies; readonly abused: Latencies; readonly slowness: number }

const report = (what: string, { calm, abused, slowness }: Round): void => {
  const others = `${calm.p99Ms.toFixed(1)} ms calm, ${slowness.toFixed(1)} times as slow`
  process.stderr.write(`${what}: p99 ${abused.p99Ms.toFixed(1)} ms of ${abused.asked}, ${others}\n`)
}

export const startAbusedServer = async (settings: Settings = {}): Promise<AbusedServer> => {
  const { child, ready: port } = await start<number>(
    './server-process.ts',
    JSON.stringify(settings),
    ['--expose-gc'],
  )
  const { child: normalClient } = await start('./normal-client.ts', String(port))
  const send = <Answer = Usage>(command: Command) => ask<Answer>(child, command)
  return {
    port,
    usage: () => send({ kind: 'usage' }),
    publish: (count, bytes = 0) => send<number>({ kind: 'news', count, bytes }),
    whileServing: async (what, abuse) => {
      const measureCalm = async () => (await measure(normalClient, async () => {})).latencies
      let before = await measureCalm()
      for (let round = 1; ; round++) {
        const pace = await send<ProcessTime>({ kind: 'pace' })
        const { value, latencies } = await measure(normalClient, abuse)
        const slowness = slownessBetween(pace, await send<ProcessTime>({ kind: 'pace' }))
        const after = latencies.p99Ms < p99MsMax ? before : await measureCalm()
        const calm = before.p99Ms > after.p99Ms ? before : after
        before = after
        report(what, { calm, abused: latencies, slowness })
        expect(latencies.failed).toBe(0)
        const p99Max = Math.max(p99MsMax * slowness, 3 * calm.p99Ms)
        if (latencies.p99Ms >= p99Max && round < roundsMax) continue
        expect(latencies.p99Ms).toBeLessThan(p99Max)
        const { logged } = await send({ kind: 'usage' })
        expect(logged).toEqual([])
        return value
      }
    },
    stop: async () => {
      await Promise.all([end(child), end(normalClient)])
    },
  }
}

/** Long enough for a very busy machine. */
export const longPoll = { timeout: 120_000 }

/** Expects that connections and memory are back to `before`. */
export const expectNoLeak = async (
  server: AbusedServer,
  before: Usage,
  grownBytesMax = 20e6,
): Promise<void> => {
  const connections = async () => (await server.usage()).connections
  // One is the normal client's.
  await expect.poll(connections, longPoll).toBeLessThanOrEqual(before.connections + 1)
  const { heldBytes } = await server.usage()
  expect(heldBytes - before.heldBytes).toBeLessThan(grownBytesMax)
}
