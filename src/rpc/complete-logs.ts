import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockRange, LogFilter } from '../ports/chain-reader.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { Header } from './header.ts'
import type { LogLimit } from './log-limit.ts'
import type { RawLog } from './parse-log.ts'

/** The logs of a range with the headers of its ends, and the sizes of the endpoint's responses. */
export type ObservedLogs = {
  readonly first: Header
  readonly last: Header
  readonly logs: readonly RawLog[]
  /** Null if no log was requested. */
  readonly limit: LogLimit | null
}

export type ObserveLogs = (
  range: BlockRange,
  filter: LogFilter,
) => Promise<Outcome<ObservedLogs, RpcCallFault>>

/** The share of long ranges that are read again in halves, whatever their size. */
const drawnShare = 0.1
/** Shorter ranges follow the head, where a finality check reads them again. */
const drawnBlocksMin = 100

/** The two halves of the longest list of a filter; null if no list has two values. */
const splitFilter = (filter: LogFilter): readonly LogFilter[] | null => {
  const { addresses = [], topics } = filter
  const lengths = topics.map((values) => values?.length ?? 0)
  const longest = Math.max(0, ...lengths)
  if (Math.max(longest, addresses.length) < 2) return null
  const halvesOf = <T>(values: readonly T[]): readonly (readonly T[])[] => {
    const middle = Math.ceil(values.length / 2)
    return [values.slice(0, middle), values.slice(middle)]
  }
  if (addresses.length >= longest) {
    return halvesOf(addresses).map((some) => ({ addresses: some, topics }))
  }
  const position = lengths.indexOf(longest)
  return halvesOf(topics[position] ?? []).map((some) => ({
    ...filter,
    topics: topics.map((values, i) => (i === position ? some : values)),
  }))
}

const keyOf = ({ blockHash, logIndex }: RawLog): string => `${blockHash}:${logIndex}`

const includesAll = (all: readonly RawLog[], some: readonly RawLog[]): boolean => {
  const keys = new Set(all.map(keyOf))
  return some.every((log) => keys.has(keyOf(log)))
}

const omitted = (host: string, { from, to }: BlockRange) =>
  malformed(`${host}: logs of blocks ${from} to ${to} differ from those of their parts`)

const cut = (host: string, count: number) =>
  failure<RpcCallFault>({
    kind: 'range-too-large',
    suggestedBlocks: null,
    detail: `${host}: response cut at ${count} logs without an error`,
  })

type Observed = Outcome<ObservedLogs, RpcCallFault>

/**
 * Reads logs that no endpoint has cut without an error. A response of a suspicious size is compared
 * with its halves, down to one block, and that with the halves of its filter. A cut range is
 * rejected as an honest endpoint would reject it, so that every caller reads smaller ones.
 */
export const createCompleteLogs = (deps: {
  readonly observe: ObserveLogs
  /** Number from 0 to 1. */
  readonly random: () => number
}): ObserveLogs => {
  const { observe, random } = deps

  /** The logs of one block, read by parts of the filter. */
  const completeBlock = async (
    range: BlockRange,
    filter: LogFilter,
    observed: ObservedLogs & { readonly limit: LogLimit },
  ): Promise<Observed> => {
    const { limit, logs } = observed
    const filters = splitFilter(filter)
    if (filters === null) {
      limit.warnUnchecked(logs.length)
      return success(observed)
    }
    const all: RawLog[] = []
    for (const part of filters) {
      const read = await readChecked(range, part)
      if (!read.ok) return read
      if (read.value.last.hash !== observed.last.hash) return omitted(limit.host, range)
      all.push(...read.value.logs)
    }
    if (!includesAll(all, logs)) return omitted(limit.host, range)
    if (all.length > logs.length) limit.recordCut(logs.length)
    else limit.recordComplete(logs.length)
    return success({ ...observed, logs: all.sort((a, b) => a.logIndex - b.logIndex) })
  }

  /** Compares a range with its halves. */
  const compareHalves = async (
    { from, to }: BlockRange,
    filter: LogFilter,
    { limit, ...observed }: ObservedLogs & { readonly limit: LogLimit },
  ): Promise<Observed> => {
    const { logs, first, last } = observed
    const middle = from + Math.floor((to - from) / 2)
    const ranges = [
      { from, to: middle },
      { from: middle + 1, to },
    ] as const
    const left = await observe(ranges[0], filter)
    if (!left.ok) return left
    const right = await observe(ranges[1], filter)
    if (!right.ok) return right
    const isLinked =
      left.value.first.parentHash === first.parentHash &&
      right.value.first.parentHash === left.value.last.hash &&
      right.value.last.hash === last.hash
    if (!isLinked) return failure({ kind: 'behind', detail: `${limit.host}: branch was replaced` })
    const all = [...left.value.logs, ...right.value.logs]
    if (!includesAll(all, logs)) return omitted(limit.host, { from, to })
    if (all.length > logs.length) {
      const isCut = limit.recordCut(logs.length)
      return isCut ? cut(limit.host, logs.length) : omitted(limit.host, { from, to })
    }
    // A half of the same size may be cut at it, too.
    for (const [i, half] of [left.value, right.value].entries()) {
      const halfRange = ranges[i]
      if (logs.length === 0 || half.logs.length < logs.length || halfRange === undefined) continue
      const checked = await check(halfRange, filter, half)
      if (!checked.ok) return checked
      if (checked.value.logs.length > half.logs.length) return cut(limit.host, logs.length)
    }
    limit.recordComplete(logs.length)
    return success({ ...observed, limit })
  }

  const check = async (
    range: BlockRange,
    filter: LogFilter,
    observed: ObservedLogs,
    isDrawn = false,
  ): Promise<Observed> => {
    const { limit, logs } = observed
    if (limit === null) return success(observed)
    const isSuspicious = limit.isSuspicious(logs.length) || limit.isCut(logs.length)
    if (range.from === range.to) {
      return isSuspicious ? completeBlock(range, filter, { ...observed, limit }) : success(observed)
    }
    if (limit.isCut(logs.length)) return cut(limit.host, logs.length)
    const isDue = isSuspicious || isDrawn
    return isDue ? compareHalves(range, filter, { ...observed, limit }) : success(observed)
  }

  const readChecked = async (
    range: BlockRange,
    filter: LogFilter,
    isDrawn = false,
  ): Promise<Observed> => {
    const observed = await observe(range, filter)
    return observed.ok ? check(range, filter, observed.value, isDrawn) : observed
  }

  return (range, filter) => {
    const isLong = range.to - range.from + 1 >= drawnBlocksMin
    return readChecked(range, filter, isLong && random() >= 1 - drawnShare)
  }
}
