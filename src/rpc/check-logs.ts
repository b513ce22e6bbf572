import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash } from '../domain/units.ts'
import type { BlockRange, LogFilter } from '../ports/chain.ts'
import { parseLog, type RawLog } from './parse-log.ts'

/** A list that matches any of nothing: nodes would take it for "anything". */
export const matchesNothing = ({ addresses, topics }: LogFilter): boolean =>
  addresses?.length === 0 || topics.some((any) => any?.length === 0)

const matcherOf = ({ addresses, topics }: LogFilter): ((log: RawLog) => boolean) => {
  const senders = addresses === undefined ? null : new Set(addresses)
  const wanted = topics.map((any) => (any === null ? null : new Set<Hash | undefined>(any)))
  return (log) =>
    (senders === null || senders.has(log.address)) &&
    wanted.every((any, position) => any === null || any.has(log.topics[position]))
}

const isInOrder = (a: RawLog, b: RawLog): boolean =>
  a.block < b.block || (a.block === b.block && a.logIndex <= b.logIndex)

const sorted = (logs: RawLog[]): readonly RawLog[] => {
  const isSorted = logs.every((log, i) => {
    const next = logs[i + 1]
    return next === undefined || isInOrder(log, next)
  })
  return isSorted ? logs : logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

const isSame = (a: RawLog, b: RawLog): boolean =>
  a.blockHash === b.blockHash &&
  a.txHash === b.txHash &&
  a.txIndex === b.txIndex &&
  a.address === b.address &&
  a.data === b.data &&
  a.topics.length === b.topics.length &&
  a.topics.every((topic, position) => topic === b.topics[position])

/** One block has one hash, and one place in it one log; a copy is dropped, a rival is a fault. */
const withoutCopies = (logs: readonly RawLog[]): Outcome<readonly RawLog[], string> => {
  const kept: RawLog[] = []
  let last: RawLog | undefined
  for (const log of logs) {
    if (last?.block === log.block && last.blockHash !== log.blockHash) {
      return failure(`two hashes for block ${log.block}`)
    }
    if (last?.block === log.block && last.logIndex === log.logIndex) {
      if (!isSame(last, log)) return failure(`two logs at one place of block ${log.block}`)
      continue
    }
    kept.push(log)
    last = log
  }
  return success(kept)
}

/** A removed log is dropped; that the same answer also has it as standing can not be true. */
const withoutRemoved = (logs: readonly RawLog[]): Outcome<readonly RawLog[], string> => {
  const removed = logs.filter((log) => log.removed)
  if (removed.length === 0) return success(logs)
  const places = new Set(removed.map((log) => `${log.blockHash}-${log.logIndex}`))
  const standing = logs.filter((log) => !log.removed)
  const both = standing.find((log) => places.has(`${log.blockHash}-${log.logIndex}`))
  return both === undefined
    ? success(standing)
    : failure(`a log of block ${both.block} both removed and not`)
}

const parseAll = (
  json: readonly unknown[],
  range: BlockRange,
  filter: LogFilter,
): Outcome<RawLog[], string> => {
  const matches = matcherOf(filter)
  const logs: RawLog[] = []
  for (const each of json) {
    const parsed = parseLog(each)
    if (!parsed.ok) return failure(`a log with a malformed ${parsed.fault}`)
    const log = parsed.value
    if (log.block < range.from || log.block > range.to) return failure('a log outside the range')
    if (!matches(log)) return failure('a log that the filter excludes')
    logs.push(log)
  }
  return success(logs)
}

/**
 * The door: all that a node answers to `eth_getLogs` is parsed and checked here, once. What comes
 * out stands in chain order, within the range and the filter, none removed, none twice.
 */
export const checkLogs = (
  json: unknown,
  range: BlockRange,
  filter: LogFilter,
): Outcome<readonly RawLog[], string> => {
  if (!Array.isArray(json)) return failure('no list of logs')
  const parsed = parseAll(json, range, filter)
  if (!parsed.ok) return parsed
  const standing = withoutRemoved(sorted(parsed.value))
  return standing.ok ? withoutCopies(standing.value) : standing
}
