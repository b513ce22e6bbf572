import type { ChainLog } from '../domain/chain/log.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  CrossCheckedRange,
  LogFilter,
} from '../ports/chain-reader.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'

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
