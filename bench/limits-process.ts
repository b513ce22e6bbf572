import { Agent, request } from 'node:http'
import { type ResourceUsage, startUsageMeter } from './child.ts'
import { followedTopics } from './followed-topics.ts'

/** Measures the machine's limits in reading a node's responses, in its own process. */

export type LimitKind = 'drain' | 'fetch' | 'parse' | 'decode'

export type LimitTask = {
  readonly kind: LimitKind
  readonly url: string
  readonly from: number
  readonly to: number
}

export type LimitReport = ResourceUsage & {
  /** Null if the response was not parsed. */
  readonly logs: number | null
}

const rangesCount = 20
const connections = 4
const task = JSON.parse(process.argv[2] ?? '{}') as LimitTask

const quantity = (value: number): string => `0x${value.toString(16)}`

/** Request bodies that cover the chain, range by range. */
const bodies = (): readonly string[] => {
  const blocks = Math.ceil((task.to - task.from + 1) / rangesCount)
  return Array.from({ length: rangesCount }, (_, at) => task.from + at * blocks)
    .filter((from) => from <= task.to)
    .map((from) => {
      const to = Math.min(task.to, from + blocks - 1)
      const filter = { fromBlock: quantity(from), toBlock: quantity(to), topics: [followedTopics] }
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] })
    })
}

const readText = async (body: string): Promise<string> =>
  (await fetch(task.url, { method: 'POST', body })).text()

const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** Receives the bytes and discards them. */
const drainOne = (body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(task.url, { method: 'POST', agent }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })

type Log = { readonly topics: readonly string[]; readonly data: string }

/** Decodes every data word to a number, the minimum that an index needs. */
const decode = ({ topics, data }: Log): number => {
  let words = 0
  for (let at = 2; at < data.length; at += 64) {
    if (BigInt.asIntN(256, BigInt(`0x${data.slice(at, at + 64)}`)) !== 0n) words += 1
  }
  return words + topics.length
}

const logsOf = (text: string): readonly Log[] =>
  (JSON.parse(text) as { readonly result: readonly Log[] }).result

/** Measures the work on a response without its transfer time. */
const measureWork = async (work: (text: string) => number): Promise<LimitReport> => {
  let logs = 0
  let sum = { seconds: 0, cpuSeconds: 0, rssPeakMb: 0 }
  for (const body of bodies()) {
    const text = await readText(body)
    const spent = startUsageMeter()
    logs += work(text)
    const { seconds, cpuSeconds, rssPeakMb } = spent()
    sum = { seconds: sum.seconds + seconds, cpuSeconds: sum.cpuSeconds + cpuSeconds, rssPeakMb }
  }
  return { ...sum, logs }
}

const measureAll = async (work: () => Promise<unknown>): Promise<LimitReport> => {
  const spent = startUsageMeter()
  await work()
  return { ...spent(), logs: null }
}

let words = 0

const measurements: Readonly<Record<LimitKind, () => Promise<LimitReport>>> = {
  drain: () => measureAll(() => Promise.all(bodies().map(drainOne))),
  fetch: () =>
    measureAll(async () => {
      for (const body of bodies()) await readText(body)
    }),
  parse: () => measureWork((text) => logsOf(text).length),
  decode: () =>
    measureWork((text) => {
      const logs = logsOf(text)
      for (const log of logs) words += decode(log)
      return logs.length
    }),
}

const report = await measurements[task.kind]()
if (task.kind === 'decode' && words === 0) throw new Error('no words were decoded')
process.send?.(report)
agent.destroy()
