import type { Address, Hash } from '../../src/domain/units.ts'
import type { PlacedLog, SyntheticChain } from './generate.ts'
import { originBlock } from './params.ts'

/** The `blockTimestamp` of logs: many nodes omit it, some return zero. */
export type LogTimestamps = 'absent' | 'zero' | 'right'

export type LogQuery = {
  readonly from: number
  readonly to: number
  readonly addresses: ReadonlySet<Address> | null
  readonly topics: readonly (ReadonlySet<Hash> | null)[]
}

/** JSON of the matching logs, each followed by a comma. */
export type Selection = { readonly count: number; readonly parts: readonly Buffer[] }

const quantity = (value: number): string => `0x${value.toString(16)}`

const timestampField = (stamps: LogTimestamps, ts: number): string => {
  if (stamps === 'absent') return ''
  return `"blockTimestamp":"${stamps === 'zero' ? '0x0' : quantity(ts)}",`
}

const serializeLog = (log: PlacedLog, blockHash: Hash, stamp: string): string =>
  `{"address":"${log.address}","topics":["${log.topics.join('","')}"],"data":"${log.data}",` +
  `"blockNumber":"${quantity(log.block)}","transactionHash":"${log.txHash}",` +
  `"transactionIndex":"${quantity(log.txIndex)}","blockHash":"${blockHash}",${stamp}` +
  `"logIndex":"${quantity(log.logIndex)}","removed":false},`

/** All logs as one buffer, so that a block range is a slice of it. */
const serializeLogs = (chain: SyntheticChain, stamps: LogTimestamps) => {
  const { logs, params } = chain
  const starts = new Uint32Array(logs.length + 1)
  /** Index of the first log of each block, and one past the last log. */
  const firsts = new Uint32Array(params.blocks + 1)
  const texts: Buffer[] = []
  let bytes = 0
  let next = 0
  for (let block = 0; block < params.blocks; block++) {
    firsts[block] = next
    const { hash, ts } = chain.blockRefAt(originBlock + block)
    const stamp = timestampField(stamps, ts)
    for (let log = logs[next]; log?.block === originBlock + block; log = logs[next]) {
      starts[next] = bytes
      const text = Buffer.from(serializeLog(log, hash, stamp))
      texts.push(text)
      bytes += text.length
      next += 1
    }
  }
  starts[next] = bytes
  firsts[params.blocks] = next
  return { all: Buffer.concat(texts, bytes), starts, firsts }
}

const matches = (log: PlacedLog, { addresses, topics }: LogQuery): boolean =>
  (addresses?.has(log.address) ?? true) &&
  topics.every((any, position) => {
    const topic = log.topics[position]
    return any === null || (topic !== undefined && any.has(topic))
  })

/** Serializes all logs once, so that a query only slices buffers. */
export const createLogStore = (chain: SyntheticChain, stamps: LogTimestamps) => {
  const { all, starts, firsts } = serializeLogs(chain, stamps)
  const { logs, params } = chain
  const topics = new Set(logs.map((log) => log.topics[0] as Hash))
  const firstOf = (block: number): number =>
    firsts[Math.max(0, Math.min(params.blocks, block - originBlock))] ?? 0
  const matchesEveryLog = (query: LogQuery): boolean => {
    const [first, ...rest] = query.topics
    const isAny =
      first === undefined || first === null || [...topics].every((topic) => first.has(topic))
    return query.addresses === null && rest.every((each) => each === null) && isAny
  }

  return (query: LogQuery): Selection => {
    const [from, to] = [firstOf(query.from), firstOf(query.to + 1)]
    if (matchesEveryLog(query)) {
      const count = Math.max(0, to - from)
      return { count, parts: count === 0 ? [] : [all.subarray(starts[from], starts[to])] }
    }
    const parts: Buffer[] = []
    for (let at = from; at < to; at++) {
      const log = logs[at]
      if (log && matches(log, query)) parts.push(all.subarray(starts[at], starts[at + 1]))
    }
    return { count: parts.length, parts }
  }
}

export type LogStore = ReturnType<typeof createLogStore>
