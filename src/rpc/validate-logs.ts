import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash } from '../domain/units.ts'
import type { BlockRange, LogFilter } from '../ports/chain-reader.ts'
import { asFastParsedLogs } from './json-rpc.ts'
import { parseLog, type RawLog } from './parse-log.ts'

/** A list that matches any of nothing: nodes would take it for "anything". */
export const isEmptyFilter = ({ addresses, topics }: LogFilter): boolean =>
  addresses?.length === 0 || topics.some((any) => any?.length === 0)

/** Whether a log is one that was asked for, or why not. */
const judgeOf = ({ from, to }: BlockRange, { addresses, topics }: LogFilter) => {
  const senders = addresses === undefined ? null : new Set(addresses)
  const wanted = topics.map((any) => (any === null ? null : new Set<Hash | undefined>(any)))
  return (log: RawLog): string | null => {
    if (log.block < from || log.block > to) return 'a log outside the range'
    const isWanted =
      (senders === null || senders.has(log.address)) &&
      wanted.every((any, position) => any === null || any.has(log.topics[position]))
    return isWanted ? null : 'a log that the filter excludes'
  }
}

type Told = { readonly standing: RawLog[]; readonly removed: readonly RawLog[] }

const readAll = (
  json: readonly unknown[],
  judge: (log: RawLog) => string | null,
): Outcome<Told, string> => {
  const standing: RawLog[] = []
  const removed: RawLog[] = []
  for (const each of json) {
    const parsed = parseLog(each)
    if (!parsed.ok) return failure(`a log with a malformed ${parsed.fault}`)
    const { log, isRemoved } = parsed.value
    const fault = judge(log)
    if (fault !== null) return failure(fault)
    if (isRemoved) removed.push(log)
    else standing.push(log)
  }
  return success({ standing, removed })
}

const judgeAll = (
  standing: RawLog[],
  judge: (log: RawLog) => string | null,
): Outcome<Told, string> => {
  for (const log of standing) {
    const fault = judge(log)
    if (fault !== null) return failure(fault)
  }
  return success({ standing, removed: [] })
}

const isInOrder = (a: RawLog, b: RawLog): boolean =>
  a.block < b.block || (a.block === b.block && a.logIndex <= b.logIndex)

const sorted = (logs: RawLog[]): RawLog[] => {
  const isSorted = logs.every((log, i) => {
    const next = logs[i + 1]
    return next === undefined || isInOrder(log, next)
  })
  return isSorted ? logs : logs.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

/** A removed log is dropped; that the same answer also has it as standing can not be true. */
const withoutRemoved = ({ standing, removed }: Told): Outcome<readonly RawLog[], string> => {
  const logs = sorted(standing)
  if (removed.length === 0) return success(logs)
  const places = new Set(removed.map((log) => `${log.blockHash}-${log.logIndex}`))
  const both = logs.find((log) => places.has(`${log.blockHash}-${log.logIndex}`))
  return both === undefined
    ? success(logs)
    : failure(`a log of block ${both.block} both removed and not`)
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

/**
 * The door: all that a node answers to `eth_getLogs` is parsed and checked here, once. What comes
 * out stands in chain order, within the range and the filter, none removed, none twice.
 */
export const validateLogs = (
  json: unknown,
  range: BlockRange,
  filter: LogFilter,
): Outcome<readonly RawLog[], string> => {
  if (!Array.isArray(json)) return failure('no list of logs')
  const judge = judgeOf(range, filter)
  const scanned = asFastParsedLogs(json)
  const told = scanned === null ? readAll(json, judge) : judgeAll(scanned, judge)
  if (!told.ok) return told
  const standing = withoutRemoved(told.value)
  return standing.ok ? withoutCopies(standing.value) : standing
}
