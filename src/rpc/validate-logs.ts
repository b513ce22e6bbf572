import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash } from '../domain/units.ts'
import type { BlockRange, LogFilter } from '../ports/chain-reader.ts'
import { asFastParsedLogs } from './json-rpc.ts'
import { parseLog, type RawLog } from './parse-log.ts'

/** An empty list matches nothing, but nodes treat it as "match all". */
export const isEmptyFilter = ({ addresses, topics }: LogFilter): boolean =>
  addresses?.length === 0 || topics.some((any) => any?.length === 0)

/** Returns why a log does not match the request, or null. */
const createLogCheck = ({ from, to }: BlockRange, { addresses, topics }: LogFilter) => {
  const senders = addresses === undefined ? null : new Set(addresses)
  const topicSets = topics.map((any) => (any === null ? null : new Set<Hash | undefined>(any)))
  return (log: RawLog): string | null => {
    if (log.block < from || log.block > to) return 'log outside the range'
    const isRequested =
      (senders === null || senders.has(log.address)) &&
      topicSets.every((any, position) => any === null || any.has(log.topics[position]))
    return isRequested ? null : 'log that the filter excludes'
  }
}

type LogSplit = { readonly canonical: RawLog[]; readonly removed: readonly RawLog[] }

const parseAll = (
  json: readonly unknown[],
  check: (log: RawLog) => string | null,
): Outcome<LogSplit, string> => {
  const canonical: RawLog[] = []
  const removed: RawLog[] = []
  for (const item of json) {
    const parsed = parseLog(item)
    if (!parsed.ok) return failure(`log with a malformed ${parsed.fault}`)
    const { log, isRemoved } = parsed.value
    const fault = check(log)
    if (fault !== null) return failure(fault)
    if (isRemoved) removed.push(log)
    else canonical.push(log)
  }
  return success({ canonical, removed })
}

const checkFastParsed = (
  canonical: RawLog[],
  check: (log: RawLog) => string | null,
): Outcome<LogSplit, string> => {
  for (const log of canonical) {
    const fault = check(log)
    if (fault !== null) return failure(fault)
  }
  return success({ canonical, removed: [] })
}

const isInOrder = (a: RawLog, b: RawLog): boolean =>
  a.block < b.block || (a.block === b.block && a.logIndex <= b.logIndex)

const sortLogs = (logs: RawLog[]): RawLog[] => {
  const isSorted = logs.every((log, i) => {
    const next = logs[i + 1]
    return next === undefined || isInOrder(log, next)
  })
  return isSorted ? logs : logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

/** Drops removed logs; a response that has the same log as canonical is malformed. */
const withoutRemoved = ({ canonical, removed }: LogSplit): Outcome<readonly RawLog[], string> => {
  const logs = sortLogs(canonical)
  if (removed.length === 0) return success(logs)
  const removedKeys = new Set(removed.map((log) => `${log.blockHash}-${log.logIndex}`))
  const both = logs.find((log) => removedKeys.has(`${log.blockHash}-${log.logIndex}`))
  return both === undefined
    ? success(logs)
    : failure(`log of block ${both.block} is both removed and canonical`)
}

const isSame = (a: RawLog, b: RawLog): boolean =>
  a.blockHash === b.blockHash &&
  a.txHash === b.txHash &&
  a.txIndex === b.txIndex &&
  a.address === b.address &&
  a.data === b.data &&
  a.topics.length === b.topics.length &&
  a.topics.every((topic, position) => topic === b.topics[position])

/** Drops copies; two hashes for a block, or two logs at one index, are malformed. */
const withoutCopies = (logs: readonly RawLog[]): Outcome<readonly RawLog[], string> => {
  const unique: RawLog[] = []
  let last: RawLog | undefined
  for (const log of logs) {
    if (last?.block === log.block && last.blockHash !== log.blockHash) {
      return failure(`two hashes for block ${log.block}`)
    }
    if (last?.block === log.block && last.logIndex === log.logIndex) {
      if (!isSame(last, log)) return failure(`two logs at one index of block ${log.block}`)
      continue
    }
    unique.push(log)
    last = log
  }
  return success(unique)
}

/**
 * Parses and validates every result of `eth_getLogs`. The logs returned are in chain order, within
 * the range and the filter, without removed logs and duplicates.
 */
export const validateLogs = (
  json: unknown,
  range: BlockRange,
  filter: LogFilter,
): Outcome<readonly RawLog[], string> => {
  if (!Array.isArray(json)) return failure('eth_getLogs returned no list')
  const check = createLogCheck(range, filter)
  const fastParsed = asFastParsedLogs(json)
  const split = fastParsed === null ? parseAll(json, check) : checkFastParsed(fastParsed, check)
  if (!split.ok) return split
  const canonical = withoutRemoved(split.value)
  return canonical.ok ? withoutCopies(canonical.value) : canonical
}
