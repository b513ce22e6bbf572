import { Agent, request } from 'node:http'
import { type ResourceUsage, startUsageMeter } from './child.ts'
import { followedTopics } from './followed-topics.ts'

/** What the machine can do at best with the answers of a node, in a process of its own. */

export type LimitKind = 'drain' | 'fetch' | 'parse' | 'decode'

export type LimitTask = {
  readonly kind: LimitKind
  readonly url: string
  readonly from: number
  readonly to: number
}

export type LimitReport = ResourceUsage & {
  /** Null where nobody looked into the bytes. */
  readonly logs: number | null
}

const rangesCount = 20
const connections = 4
const order = JSON.parse(process.argv[2] ?? '{}') as LimitTask

const quantity = (value: number): string => `0x${value.toString(16)}`

/** The bodies of the requests for the whole chain, piece by piece. */
const bodies = (): readonly string[] => {
  const blocks = Math.ceil((order.to - order.from + 1) / rangesCount)
  return Array.from({ length: rangesCount }, (_, at) => order.from + at * blocks)
    .filter((from) => from <= order.to)
    .map((from) => {
      const to = Math.min(order.to, from + blocks - 1)
      const filter = { fromBlock: quantity(from), toBlock: quantity(to), topics: [followedTopics] }
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] })
    })
}

const readText = async (body: string): Promise<string> =>
  (await fetch(order.url, { method: 'POST', body })).text()

const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** The bytes are received and thrown away. */
const drainOne = (body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(order.url, { method: 'POST', agent }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })

type Log = { readonly topics: readonly string[]; readonly data: string }

/** Every word a number and every quantity, as an index needs them, and nothing more. */
const decode = ({ topics, data }: Log): number => {
  let words = 0
  for (let at = 2; at < data.length; at += 64) {
    if (BigInt.asIntN(256, BigInt(`0x${data.slice(at, at + 64)}`)) !== 0n) words += 1
  }
  return words + topics.length
}

const logsOf = (text: string): readonly Log[] =>
  (JSON.parse(text) as { readonly result: readonly Log[] }).result

/** Only the work on an answer counts, not how long it was on the wire. */
const workOn = async (work: (text: string) => number): Promise<LimitReport> => {
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

const wholeOf = async (work: () => Promise<unknown>): Promise<LimitReport> => {
  const spent = startUsageMeter()
  await work()
  return { ...spent(), logs: null }
}

let words = 0

const ways: Readonly<Record<LimitKind, () => Promise<LimitReport>>> = {
  drain: () => wholeOf(() => Promise.all(bodies().map(drainOne))),
  fetch: () =>
    wholeOf(async () => {
      for (const body of bodies()) await readText(body)
    }),
  parse: () => workOn((text) => logsOf(text).length),
  decode: () =>
    workOn((text) => {
      const logs = logsOf(text)
      for (const log of logs) words += decode(log)
      return logs.length
    }),
}

const report = await ways[order.kind]()
if (order.kind === 'decode' && words === 0) throw new Error('nothing was decoded')
process.send?.(report)
agent.destroy()
