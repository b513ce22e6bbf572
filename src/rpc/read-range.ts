import type { ChainLog } from '../domain/chain/log.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  CrossCheckedRange,
  LogFilter,
} from '../ports/chain-reader.ts'
import type { BlockTimes, NamedBlock } from './block-times.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { type Header, headerCall, readHeader, toBlockRef } from './header.ts'
import { toQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'
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

type Ends = { readonly first: Header; readonly last: Header }
type Observed = Ends & { readonly logs: readonly RawLog[] }

const readEnds = (
  answers: readonly (RpcResponse | undefined)[],
  range: BlockRange,
): Outcome<Ends, RpcCallFault> => {
  const [lastAnswer, firstAnswer = lastAnswer] = answers
  const last = readHeader(lastAnswer, range.to)
  if (!last.ok) return last
  const first = readHeader(firstAnswer, range.from)
  return first.ok ? success({ first: first.value, last: last.value }) : first
}

/** A reorg between the calls of one request shows where a log's block is one of the ends. */
const contradicts = (log: RawLog, end: Header): boolean =>
  log.block === end.block && log.blockHash !== end.hash

const readLogs = (
  answer: RpcResponse | undefined,
  ends: Ends,
  filter: LogFilter,
): Outcome<Observed, RpcCallFault> => {
  if (answer === undefined) return success({ ...ends, logs: [] })
  if (!answer.ok) return answer
  const { first, last } = ends
  const checked = validateLogs(answer.value, { from: first.block, to: last.block }, filter)
  if (!checked.ok) return malformed(checked.fault)
  const rival = checked.value.find((log) => contradicts(log, first) || contradicts(log, last))
  if (rival !== undefined) return malformed(`two hashes for block ${rival.block}`)
  return success({ ...ends, logs: checked.value })
}

/**
 * What a smaller range may cure: too long an answer by anybody's limit, one that never comes in
 * time, and words that nobody knows, because providers reword their limits. About a single block
 * such words are a rejection.
 */
const asRangeFault = (fault: RpcCallFault, range: BlockRange): RpcCallFault => {
  const { detail, kind } = fault
  const blocks = range.to - range.from + 1
  if (kind === 'range-too-large') {
    const { suggestedBlocks } = fault
    // A node that refused this range can not mean that it would answer it.
    const helps = suggestedBlocks !== null && suggestedBlocks < blocks
    return helps ? fault : { ...fault, suggestedBlocks: null }
  }
  const isDoubtful = kind === 'rejected' || kind === 'too-slow'
  const isCurable = kind === 'too-large' || (isDoubtful && blocks > 1)
  return isCurable ? { kind: 'range-too-large', suggestedBlocks: null, detail } : fault
}

/**
 * The blocks' times as the logs state them. Of a node that contradicts a header, another log, or
 * the order of time, no statement is believed: then only the ends' own headers count.
 */
const statedTimes = ({ logs, first, last }: Observed): ReadonlyMap<Hash, UnixSeconds> => {
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

const untimed = (logs: readonly RawLog[], times: ReadonlyMap<Hash, UnixSeconds>) => {
  const blocks = new Map<BlockNumber, NamedBlock>()
  for (const { block, blockHash } of logs) {
    if (!times.has(blockHash)) blocks.set(block, { block, hash: blockHash })
  }
  return [...blocks.values()]
}

/** For who does not care: every log's block at the time 0. */
const untold = ({ logs }: Observed): ReadonlyMap<Hash, UnixSeconds> =>
  new Map(logs.map(({ blockHash }) => [blockHash, 0]))

/** Each log's time is now the proved one. */
const withTimes = (
  { logs, first, last }: Observed,
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

/** A range that no node should be asked for is a bug, not a fault. */
const assertRange = ({ from, to }: BlockRange): void => {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < from) {
    throw new RangeError(`blocks ${from} to ${to} are no range`)
  }
}

/**
 * Reads the logs of a range. The headers of its ends travel in the same request, before the logs: a
 * node behind `range.to` answers an empty list instead of an error, and only its ignorance of the
 * header gives it away (methodology §7).
 */
export const readRange = async (
  deps: {
    readonly endpoints: EndpointPool
    readonly blockTimes: BlockTimes
    readonly bytesMax: number
  },
  range: BlockRange,
  filter: LogFilter,
  { times }: { readonly times: boolean } = { times: true },
): Promise<Outcome<BlockRangeLogs, RpcCallFault>> => {
  assertRange(range)
  const ends = range.to === range.from ? [range.to] : [range.to, range.from]
  const wanted = isEmptyFilter(filter) ? [] : [logsCall(range, filter)]
  const observed = await deps.endpoints.request<Observed>({
    calls: [...ends.map(headerCall), ...wanted],
    splittable: false,
    block: range.to,
    bytesMax: deps.bytesMax,
    read: (answers) => {
      const read = readEnds(answers.slice(0, ends.length), range)
      return read.ok ? readLogs(answers[ends.length], read.value, filter) : read
    },
  })
  if (!observed.ok) return failure(asRangeFault(observed.fault, range))
  // Whatever nodes state or not: two that tell the same logs tell the very same.
  if (!times) return withTimes(observed.value, new Map(), untold(observed.value))
  const stated = statedTimes(observed.value)
  const read = await deps.blockTimes(untimed(observed.value.logs, stated))
  return read.ok ? withTimes(observed.value, stated, read.value) : read
}

/** Reads a range over one endpoint or several. */
export type ReadLogs = (
  range: BlockRange,
  filter: LogFilter,
  need?: { readonly times: boolean },
) => Promise<Outcome<BlockRangeLogs, RpcCallFault>>

const witnessesWanted = 2

/** Everything that a log says, as one text. */
const textOf = (log: ChainLog): string => JSON.stringify(log)

const holdsAll = (held: ReadonlySet<string>, texts: readonly string[]): boolean =>
  texts.every((text) => held.has(text))

/** A node that lags or forgets leaves logs out; none has reason to invent one. */
const agree = (
  one: BlockRangeLogs,
  other: BlockRangeLogs,
  { from, to }: BlockRange,
): Outcome<CrossCheckedRange, RpcCallFault> => {
  const [texts, others] = [one.logs.map(textOf), other.logs.map(textOf)]
  const isSameChain = one.last.hash === other.last.hash && one.parentHash === other.parentHash
  const oneHoldsOther = isSameChain && holdsAll(new Set(texts), others)
  const otherHoldsOne = isSameChain && holdsAll(new Set(others), texts)
  if (oneHoldsOther && otherHoldsOne) return success({ ...one, endpointsAgreed: 2 })
  if (oneHoldsOther) return success({ ...one, endpointsAgreed: 1 })
  if (otherHoldsOne) return success({ ...other, endpointsAgreed: 1 })
  const detail = `two endpoints contradict each other about blocks ${from} to ${to}`
  return malformed(detail)
}

/**
 * Asks two endpoints for the same logs. One that rests or fails is passed over; where only one is
 * left its word counts, and is said to be that of one. One that answers only smaller ranges is
 * passed over if two others tell; else the range is refused, for in pieces it tells as well.
 */
export const readCrossChecked = async (
  deps: {
    /** Each asks one endpoint, and never waits for it. */
    readonly alone: readonly ReadLogs[]
    /** Asks whichever endpoint is fit. */
    readonly together: ReadLogs
  },
  range: BlockRange,
  filter: LogFilter,
  need?: { readonly times: boolean },
): Promise<Outcome<CrossCheckedRange, RpcCallFault>> => {
  const told: BlockRangeLogs[] = []
  let refused: Outcome<never, RpcCallFault> | null = null
  for (const [at, read] of deps.alone.entries()) {
    const mayTell = deps.alone.length - at
    // Nobody is asked in vain: not for a second word, nor once smaller questions are needed anyway.
    if (told.length + mayTell < witnessesWanted && (at === 0 || refused !== null)) break
    const answer = await read(range, filter, need)
    if (answer.ok) told.push(answer.value)
    else if (answer.fault.kind === 'range-too-large') refused ??= answer
    if (told.length === witnessesWanted) break
  }
  const [one, other] = told
  if (one !== undefined && other !== undefined) return agree(one, other, range)
  if (refused !== null) return refused
  if (one !== undefined) return success({ ...one, endpointsAgreed: 1 })
  const answer = await deps.together(range, filter, need)
  return answer.ok ? success({ ...answer.value, endpointsAgreed: 1 }) : answer
}
