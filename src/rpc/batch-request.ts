import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import { chunk } from '../util/chunk.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { branchCalls, readOnBranch } from './header.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'

/**
 * Does the work for all items, a few at a time; the results stand in the items' order. After the
 * first failure nothing more is begun, and it is the result.
 */
export const mapConcurrent = async <T, Result, Fault>(
  items: readonly T[],
  inFlightMax: number,
  work: (item: T) => Promise<Outcome<Result, Fault>>,
): Promise<Outcome<readonly Result[], Fault>> => {
  const results = new Array<Result>(items.length)
  const queue = items.entries()
  let failed: { readonly ok: false; readonly fault: Fault } | null = null
  const worker = async (): Promise<void> => {
    // The workers share one iterator: each item is taken once.
    for (const [index, item] of queue) {
      const outcome = await work(item)
      if (outcome.ok) results[index] = outcome.value
      else failed ??= outcome
      if (failed !== null) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlightMax, items.length) }, worker))
  return failed ?? success(results)
}

type Chunking = { readonly sizeMax: number; readonly inFlightMax: number }

/** The same for work on chunks of the items that has one result for each of them. */
export const mapChunks = async <T, Result, Fault>(
  items: readonly T[],
  { sizeMax, inFlightMax }: Chunking,
  work: (some: readonly T[]) => Promise<Outcome<readonly Result[], Fault>>,
): Promise<Outcome<readonly Result[], Fault>> => {
  const results = await mapConcurrent(chunk(items, sizeMax), inFlightMax, work)
  return results.ok ? success(results.value.flat()) : results
}

/** Items that are asked about by one call each, and have nothing to do with each other. */
export type BatchItems<Item, Answer> = {
  readonly items: readonly Item[]
  readonly callOf: (item: Item) => RpcCall
  readonly read: (answer: RpcResponse, item: Item) => Outcome<Answer, RpcCallFault>
  readonly block: BlockNumber | null
  /** The block on whose branch the node must stand, where that matters. */
  readonly branch?: BlockRef | null
  /** Of the whole batch's answer. */
  readonly bytesMax: number
}

/** These are about one call; any other fault is about the node that answered. */
const ownKinds: readonly RpcCallFault['kind'][] = [
  'reverted',
  'too-large',
  'range-too-large',
  'rejected',
  'rate-limited',
]

const notAnswered: RpcResponse = malformed('an answer is missing')

type Answers<Answer> = readonly Outcome<Answer, RpcCallFault>[]

const isLimited = <Answer>(answer: Outcome<Answer, RpcCallFault>): boolean =>
  !answer.ok && answer.fault.kind === 'rate-limited'

/** Fails as a whole where the node is at fault, or where a rate limit let nothing through. */
const readAll = <Item, Answer>(
  { items, read }: BatchItems<Item, Answer>,
  answers: readonly RpcResponse[],
): Outcome<Answers<Answer>, RpcCallFault> => {
  const all = items.map((item, i) => read(answers[i] ?? notAnswered, item))
  const nothingCame = all.every(isLimited)
  for (const answer of all) {
    if (!answer.ok && (nothingCame || !ownKinds.includes(answer.fault.kind))) return answer
  }
  return success(all)
}

/**
 * Asks in one batch. What was answered is kept; what a rate limit left out is asked again, as long
 * as each round brings something. One outcome per item, in order.
 */
export const requestEach = async <Item, Answer>(
  endpoints: EndpointPool,
  question: BatchItems<Item, Answer>,
): Promise<Outcome<Answers<Answer>, RpcCallFault>> => {
  const { items, callOf, block, bytesMax, branch = null } = question
  if (items.length === 0) return success([])
  const asked = await endpoints.request({
    calls: [...branchCalls(branch), ...items.map(callOf)],
    splittable: true,
    block,
    bytesMax,
    read: (answers) => {
      const told = readOnBranch(answers, branch)
      return told.ok ? readAll(question, told.value) : told
    },
  })
  if (!asked.ok || !asked.value.some(isLimited)) return asked
  const { value } = asked
  const left = items.filter((_, i) => isLimited(value[i] ?? notAnswered))
  const again = await requestEach(endpoints, { ...question, items: left })
  if (!again.ok) return again
  const rest = again.value.values()
  return success(
    value.map((answer) => (isLimited(answer) ? (rest.next().value ?? answer) : answer)),
  )
}
