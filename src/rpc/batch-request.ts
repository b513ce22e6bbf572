import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import { chunk } from '../util/chunk.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { branchCalls, readOnBranch } from './header.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'

/**
 * Runs the work for every item, at most `inFlightMax` at a time, and returns the results in the
 * order of the items. Stops at the first failure and returns it.
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
    // All workers share one iterator, so each item is processed once.
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

/** As `mapConcurrent`, for work on chunks that returns one result per item. */
export const mapChunks = async <T, Result, Fault>(
  items: readonly T[],
  { sizeMax, inFlightMax }: Chunking,
  work: (chunkItems: readonly T[]) => Promise<Outcome<readonly Result[], Fault>>,
): Promise<Outcome<readonly Result[], Fault>> => {
  const results = await mapConcurrent(chunk(items, sizeMax), inFlightMax, work)
  return results.ok ? success(results.value.flat()) : results
}

/** Independent items with one RPC call each. */
export type BatchItems<Item, Answer> = {
  readonly items: readonly Item[]
  readonly callOf: (item: Item) => RpcCall
  readonly read: (answer: RpcResponse, item: Item) => Outcome<Answer, RpcCallFault>
  readonly block: BlockNumber | null
  /** The responses must belong to the branch of this block. */
  readonly branch?: BlockRef | null
  /** Limit of the complete response body. */
  readonly bytesMax: number
}

/** Faults of a single call; any other kind is a fault of the node. */
const callFaultKinds: readonly RpcCallFault['kind'][] = [
  'reverted',
  'too-slow',
  'too-large',
  'range-too-large',
  'rejected',
  'rate-limited',
]

const missingResponse: RpcResponse = malformed('response for one call is missing')

type Answers<Answer> = readonly Outcome<Answer, RpcCallFault>[]

const isLimited = <Answer>(answer: Outcome<Answer, RpcCallFault>): boolean =>
  !answer.ok && answer.fault.kind === 'rate-limited'

/** Fails if the node is at fault, or if every call was rate limited. */
const readAll = <Item, Answer>(
  { items, read }: BatchItems<Item, Answer>,
  answers: readonly RpcResponse[],
): Outcome<Answers<Answer>, RpcCallFault> => {
  const all = items.map((item, i) => read(answers[i] ?? missingResponse, item))
  const areAllLimited = all.every(isLimited)
  for (const answer of all) {
    if (!answer.ok && (areAllLimited || !callFaultKinds.includes(answer.fault.kind))) return answer
  }
  return success(all)
}

/**
 * Requests all items in one batch and returns one outcome per item, in order. Retries the calls
 * that a rate limit rejected as long as each round answers some.
 */
export const requestEach = async <Item, Answer>(
  endpoints: EndpointPool,
  batch: BatchItems<Item, Answer>,
): Promise<Outcome<Answers<Answer>, RpcCallFault>> => {
  const { items, callOf, block, bytesMax, branch = null } = batch
  if (items.length === 0) return success([])
  const requested = await endpoints.request({
    calls: [...branchCalls(branch), ...items.map(callOf)],
    splittable: true,
    block,
    bytesMax,
    read: (answers) => {
      const onBranch = readOnBranch(answers, branch)
      return onBranch.ok ? readAll(batch, onBranch.value) : onBranch
    },
  })
  if (!requested.ok || !requested.value.some(isLimited)) return requested
  const { value } = requested
  const limited = items.filter((_, i) => isLimited(value[i] ?? missingResponse))
  const retried = await requestEach(endpoints, { ...batch, items: limited })
  if (!retried.ok) return retried
  const results = retried.value.values()
  return success(
    value.map((answer) => (isLimited(answer) ? (results.next().value ?? answer) : answer)),
  )
}
