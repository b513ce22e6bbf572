import type { ChainLog } from '../domain/chain/log.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash, UnixSeconds } from '../domain/units.ts'
import { isRecord, readAddress } from '../net/json.ts'
import { readData, readHash, readQuantity } from './hex.ts'

/**
 * A log as a node told it. Its time is what the node states, 0 where it says nothing (as on
 * Robinhood Chain), until it is proved: only then is it a `ChainLog`.
 */
export type RawLog = { -readonly [Field in keyof ChainLog]: ChainLog[Field] }

/** `isRemoved`: taken back by a reorg, as the node says. */
export type ParsedLog = { readonly log: RawLog; readonly isRemoved: boolean }

/** The EVM has LOG0 to LOG4. */
export const topicsMax = 4

const readTopics = (value: unknown): readonly Hash[] | null => {
  if (!Array.isArray(value) || value.length > topicsMax) return null
  const topics: Hash[] = []
  for (const each of value) {
    const topic = readHash(each)
    if (topic === null) return null
    topics.push(topic)
  }
  return topics
}

/** Absent is usual; null and `0x0` are ways to say nothing, too. */
const readStatedTs = (value: unknown): UnixSeconds =>
  value === undefined ? 0 : (readQuantity(value) ?? 0)

/**
 * Reads one log as `eth_getLogs` answers it (Ethereum execution API, schema `Log`): pending logs,
 * whose place is null, and all other forms are refused by the field's name.
 */
export const parseLog = (json: unknown): Outcome<ParsedLog, string> => {
  if (!isRecord(json)) return failure('log')
  const address = readAddress(json.address)
  if (address === null) return failure('address')
  const topics = readTopics(json.topics)
  if (topics === null) return failure('topics')
  const data = readData(json.data)
  if (data === null) return failure('data')
  const block = readQuantity(json.blockNumber)
  if (block === null) return failure('blockNumber')
  const blockHash = readHash(json.blockHash)
  if (blockHash === null) return failure('blockHash')
  const txHash = readHash(json.transactionHash)
  if (txHash === null) return failure('transactionHash')
  const txIndex = readQuantity(json.transactionIndex)
  if (txIndex === null) return failure('transactionIndex')
  const logIndex = readQuantity(json.logIndex)
  if (logIndex === null) return failure('logIndex')
  const { removed = false } = json
  if (typeof removed !== 'boolean') return failure('removed')
  const ts = readStatedTs(json.blockTimestamp)
  const log = { address, topics, data, block, blockHash, ts, txHash, txIndex, logIndex }
  return success({ log, isRemoved: removed })
}
