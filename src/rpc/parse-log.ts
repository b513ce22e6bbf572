import type { ChainLog } from '../domain/chain/log.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash, UnixSeconds } from '../domain/units.ts'
import { isRecord, readAddress } from '../net/json.ts'
import { readData, readHash, readQuantity } from './hex.ts'

/**
 * A log as a node reports it. Its time is the stated one, or 0 if it is absent (as on Robinhood
 * Chain), until it is checked against headers: only then it is a `ChainLog`.
 */
export type RawLog = { -readonly [Field in keyof ChainLog]: ChainLog[Field] }

/** `isRemoved`: the node reports that a reorg removed the log. */
export type ParsedLog = { readonly log: RawLog; readonly isRemoved: boolean }

/** LOG0 to LOG4. */
export const topicsMax = 4

const readTopics = (value: unknown): readonly Hash[] | null => {
  if (!Array.isArray(value) || value.length > topicsMax) return null
  const topics: Hash[] = []
  for (const item of value) {
    const topic = readHash(item)
    if (topic === null) return null
    topics.push(topic)
  }
  return topics
}

/** Usually absent; null and `0x0` also mean no statement. */
const readStatedTs = (value: unknown): UnixSeconds =>
  value === undefined ? 0 : (readQuantity(value) ?? 0)

/**
 * Parses one log of `eth_getLogs` (Ethereum execution API, schema `Log`). Rejects pending logs
 * (their position is null) and any other form; the fault is the name of the field.
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
