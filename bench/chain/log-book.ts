import type { Address, Hash } from '../../src/domain/units.ts'
import type { PlacedLog, SyntheticChain } from './generate.ts'
import { originBlock } from './params.ts'

/** How a node tells a block's time with its logs; many say nothing, some say zero. */
export type Stamps = 'absent' | 'zero' | 'right'

export type LogQuery = {
  readonly from: number
  readonly to: number
  readonly addresses: ReadonlySet<Address> | null
  readonly topics: readonly (ReadonlySet<Hash> | null)[]
}

/** The JSON texts of some logs, each followed by a comma. */
export type Selection = { readonly count: number; readonly parts: readonly Buffer[] }

const quantity = (value: number): string => `0x${value.toString(16)}`

const stampOf = (stamps: Stamps, ts: number): string => {
  if (stamps === 'absent') return ''
  return `"blockTimestamp":"${stamps === 'zero' ? '0x0' : quantity(ts)}",`
}

const textOf = (log: PlacedLog, blockHash: Hash, stamp: string): string =>
  `{"address":"${log.address}","topics":["${log.topics.join('","')}"],"data":"${log.data}",` +
  `"blockNumber":"${quantity(log.block)}","transactionHash":"${log.txHash}",` +
  `"transactionIndex":"${quantity(log.txIndex)}","blockHash":"${blockHash}",${stamp}` +
  `"logIndex":"${quantity(log.logIndex)}","removed":false},`

/** All logs as one text, so that a range of them is a piece of it. */
const writeAll = (chain: SyntheticChain, stamps: Stamps) => {
  const { logs, params } = chain
  const starts = new Uint32Array(logs.length + 1)
  /** The place of the first log of each block, and of the one after the last. */
  const firsts = new Uint32Array(params.blocks + 1)
  const texts: Buffer[] = []
  let bytes = 0
  let next = 0
  for (let block = 0; block < params.blocks; block++) {
    firsts[block] = next
    const { hash, ts } = chain.anchor(originBlock + block)
    const stamp = stampOf(stamps, ts)
    for (let log = logs[next]; log?.block === originBlock + block; log = logs[next]) {
      starts[next] = bytes
      const text = Buffer.from(textOf(log, hash, stamp))
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

/** A chain's logs in JSON, written once, so that answering costs next to nothing. */
export const createLogBook = (chain: SyntheticChain, stamps: Stamps) => {
  const { all, starts, firsts } = writeAll(chain, stamps)
  const { logs, params } = chain
  const topics = new Set(logs.map((log) => log.topics[0] as Hash))
  const firstOf = (block: number): number =>
    firsts[Math.max(0, Math.min(params.blocks, block - originBlock))] ?? 0
  const isForAll = (query: LogQuery): boolean => {
    const [first, ...rest] = query.topics
    const isAny =
      first === undefined || first === null || [...topics].every((topic) => first.has(topic))
    return query.addresses === null && rest.every((each) => each === null) && isAny
  }

  return (query: LogQuery): Selection => {
    const [from, to] = [firstOf(query.from), firstOf(query.to + 1)]
    if (isForAll(query)) {
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

export type LogBook = ReturnType<typeof createLogBook>
