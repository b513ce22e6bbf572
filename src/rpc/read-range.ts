import type { ChainLog } from '../domain/chain/log.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  CrossCheckedRange,
  LogFilter,
} from '../ports/chain-reader.ts'
import type { BlockTimes, LogBlock } from './block-times.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import { createCompleteLogs, type ObservedLogs, type ObserveLogs } from './complete-logs.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { type Header, headerCall, readHeader, toBlockRef } from './header.ts'
import { toQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'
import type { LogLimit } from './log-limit.ts'
import type { RawLog } from './parse-log.ts'
import { isEmptyFilter, validateLogs } from './validate-logs.ts'

const logsCall = ({ from, to }: BlockRange, { addresses, topics }: LogFilter): RpcCall => ({
  method: 'eth_getLogs',
  params: [
    {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
      ...(addresses === undefined ? {} : { address: addresses }),
      topics,
    },
  ],
})

type EndHeaders = { readonly first: Header; readonly last: Header }

const readEnds = (
  answers: readonly (RpcResponse | undefined)[],
  range: BlockRange,
): Outcome<EndHeaders, RpcCallFault> => {
  const [lastAnswer, firstAnswer = lastAnswer] = answers
  const last = readHeader(lastAnswer, range.to)
  if (!last.ok) return last
  const first = readHeader(firstAnswer, range.from)
  return first.ok ? success({ first: first.value, last: last.value }) : first
}

/** A reorg between the calls of one request shows in a log of the first or last block. */
const conflicts = (log: RawLog, end: Header): boolean =>
  log.block === end.block && log.blockHash !== end.hash

const readLogs = (
  answer: RpcResponse | undefined,
  ends: EndHeaders,
  { filter, limit }: { readonly filter: LogFilter; readonly limit: LogLimit },
): Outcome<ObservedLogs, RpcCallFault> => {
  if (answer === undefined) return success({ ...ends, logs: [], limit: null })
  if (!answer.ok) return answer
  const { first, last } = ends
  const checked = validateLogs(answer.value, { from: first.block, to: last.block }, filter)
  if (!checked.ok) return malformed(checked.fault)
  const conflict = checked.value.find((log) => conflicts(log, first) || conflicts(log, last))
  if (conflict !== undefined) return malformed(`two hashes for block ${conflict.block}`)
  limit.recordResponse(checked.value.length)
  return success({ ...ends, logs: checked.value, limit })
}

/**
 * Maps faults that a smaller range may avoid: a too large response, a timeout, and an unknown error
 * text, because providers reword their limits. For a single block an unknown text is a rejection.
 */
const asRangeFault = (fault: RpcCallFault, range: BlockRange): RpcCallFault => {
  const { detail, kind } = fault
  const blocks = range.to - range.from + 1
  if (kind === 'range-too-large') {
    const { suggestedBlocks } = fault
    // A suggestion that is not smaller than the rejected range is useless.
    const isSmaller = suggestedBlocks !== null && suggestedBlocks < blocks
    return isSmaller ? fault : { ...fault, suggestedBlocks: null }
  }
  const mayBeLimit = kind === 'rejected' || kind === 'too-slow'
  const isAvoidable = kind === 'too-large' || (mayBeLimit && blocks > 1)
  return isAvoidable ? { kind: 'range-too-large', suggestedBlocks: null, detail } : fault
}

/**
 * Block times as stated by the logs. If a stated time conflicts with a header, another log or the
 * order of time, only the headers of the two ends are used.
 */
const statedTimes = ({ logs, first, last }: ObservedLogs): ReadonlyMap<Hash, UnixSeconds> => {
  const ends: readonly (readonly [Hash, UnixSeconds])[] = [
    [first.hash, first.ts],
    [last.hash, last.ts],
  ]
  const times = new Map(ends)
  for (const { blockHash, ts: statedTs } of logs) {
    if (statedTs === 0) continue
    const ts = times.get(blockHash)
    if (ts === statedTs) continue
    if (ts !== undefined || statedTs < first.ts || statedTs > last.ts) return new Map(ends)
    times.set(blockHash, statedTs)
  }
  return times
}

const blocksWithoutTime = (logs: readonly RawLog[], times: ReadonlyMap<Hash, UnixSeconds>) => {
  const blocks = new Map<BlockNumber, LogBlock>()
  for (const { block, blockHash } of logs) {
    if (!times.has(blockHash)) blocks.set(block, { block, hash: blockHash })
  }
  return [...blocks.values()]
}

/** Time 0 for every block. */
const zeroTimes = ({ logs }: ObservedLogs): ReadonlyMap<Hash, UnixSeconds> =>
  new Map(logs.map(({ blockHash }) => [blockHash, 0]))

/** Sets the checked time of each log. */
const withTimes = (
  { logs, first, last }: ObservedLogs,
  stated: ReadonlyMap<Hash, UnixSeconds>,
  read: ReadonlyMap<Hash, UnixSeconds>,
): Outcome<BlockRangeLogs, RpcCallFault> => {
  for (const log of logs) {
    const ts = stated.get(log.blockHash) ?? read.get(log.blockHash)
    if (ts === undefined) return malformed(`no time for block ${log.block}`)
    log.ts = ts
  }
  return success({ logs, parentHash: first.parentHash, last: toBlockRef(last) })
}

/** An invalid range is a bug of the caller, not a fault. */
const assertRange = ({ from, to }: BlockRange): void => {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < from) {
    throw new RangeError(`invalid block range ${from} to ${to}`)
  }
}

/**
 * Reads the logs of a range in one response. The same request first asks for the headers of both
 * ends: a node behind `range.to` returns an empty list instead of an error, and only the missing
 * header reveals it (methodology §7).
 */
const createObserve =
  (endpoints: EndpointPool, bytesMax: number): ObserveLogs =>
  async (range, filter) => {
    const ends = range.to === range.from ? [range.to] : [range.to, range.from]
    const logsCalls = isEmptyFilter(filter) ? [] : [logsCall(range, filter)]
    const observed = await endpoints.request<ObservedLogs>({
      calls: [...ends.map(headerCall), ...logsCalls],
      splittable: false,
      block: range.to,
      bytesMax,
      read: (answers, limit) => {
        const read = readEnds(answers.slice(0, ends.length), range)
        return read.ok ? readLogs(answers[ends.length], read.value, { filter, limit }) : read
      },
    })
    return observed.ok ? observed : failure(asRangeFault(observed.fault, range))
  }

/** Reads the logs of a range, completely and with their times. */
export const createRangeRead = (deps: {
  readonly endpoints: EndpointPool
  readonly blockTimes: BlockTimes
  readonly bytesMax: number
  /** Number from 0 to 1: draws the ranges that are read twice. */
  readonly random: () => number
}): ReadLogs => {
  const { endpoints, blockTimes, bytesMax, random } = deps
  const readComplete = createCompleteLogs({ observe: createObserve(endpoints, bytesMax), random })
  return async (range, filter, { times } = { times: true }) => {
    assertRange(range)
    const observed = await readComplete(range, filter)
    if (!observed.ok) return observed
    if (!times) return withTimes(observed.value, new Map(), zeroTimes(observed.value))
    const stated = statedTimes(observed.value)
    const read = await blockTimes(blocksWithoutTime(observed.value.logs, stated))
    return read.ok ? withTimes(observed.value, stated, read.value) : read
  }
}

export type ReadLogs = (
  range: BlockRange,
  filter: LogFilter,
  need?: { readonly times: boolean },
) => Promise<Outcome<BlockRangeLogs, RpcCallFault>>

const readsMax = 2

const serializeLog = (log: ChainLog): string => JSON.stringify(log)

const includesAll = (all: ReadonlySet<string>, texts: readonly string[]): boolean =>
  texts.every((text) => all.has(text))

/** A lagging or pruned node omits logs but does not invent any: the superset is used. */
const compareReads = (
  one: BlockRangeLogs,
  other: BlockRangeLogs,
  { from, to }: BlockRange,
): Outcome<CrossCheckedRange, RpcCallFault> => {
  const [texts, others] = [one.logs.map(serializeLog), other.logs.map(serializeLog)]
  const isSameChain = one.last.hash === other.last.hash && one.parentHash === other.parentHash
  const oneIncludesOther = isSameChain && includesAll(new Set(texts), others)
  const otherIncludesOne = isSameChain && includesAll(new Set(others), texts)
  if (oneIncludesOther && otherIncludesOne) return success({ ...one, endpointsAgreed: 2 })
  if (oneIncludesOther) return success({ ...one, endpointsAgreed: 1 })
  if (otherIncludesOne) return success({ ...other, endpointsAgreed: 1 })
  const detail = `two endpoints returned conflicting logs for blocks ${from} to ${to}`
  return malformed(detail)
}

/**
 * Reads the same logs from two endpoints, and skips endpoints in cooldown or with a failure. If
 * only one is left, `endpointsAgreed` is 1. An endpoint that requires a smaller range is skipped if
 * two others respond; else its fault is returned, so that the caller splits the range.
 */
export const readCrossChecked = async (
  deps: {
    /** One reader per endpoint, which does not wait for a cooldown. */
    readonly single: readonly ReadLogs[]
    /** Reads from any endpoint of the pool. */
    readonly pooled: ReadLogs
  },
  range: BlockRange,
  filter: LogFilter,
  need?: { readonly times: boolean },
): Promise<Outcome<CrossCheckedRange, RpcCallFault>> => {
  const reads: BlockRangeLogs[] = []
  let rangeFault: Outcome<never, RpcCallFault> | null = null
  for (const [at, read] of deps.single.entries()) {
    const remaining = deps.single.length - at
    // Without enough endpoints for a second read, or after a range fault, no request is wasted.
    if (reads.length + remaining < readsMax && (at === 0 || rangeFault !== null)) break
    const answer = await read(range, filter, need)
    if (answer.ok) reads.push(answer.value)
    else if (answer.fault.kind === 'range-too-large') rangeFault ??= answer
    if (reads.length === readsMax) break
  }
  const [one, other] = reads
  if (one !== undefined && other !== undefined) return compareReads(one, other, range)
  if (rangeFault !== null) return rangeFault
  if (one !== undefined) return success({ ...one, endpointsAgreed: 1 })
  const answer = await deps.pooled(range, filter, need)
  return answer.ok ? success({ ...answer.value, endpointsAgreed: 1 }) : answer
}
