import type { BlockRef } from '../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hex } from '../domain/units.ts'
import type { CallResult, ChainReader, ContractCall } from '../ports/chain-reader.ts'
import { mapChunks, requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { branchCalls, readOnBranch } from './header.ts'
import { readData, toQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'
import { type AggregateResult, decodeAggregate, encodeAggregate } from './multicall.ts'

/** Exceeds the return data of any honest token or pool call. */
const resultBytesMax = 64 * 1024
const resultCharsMax = 2 + 2 * resultBytesMax
/** Enough for the most expensive honest call; allows about 0.7 MB of return data. */
const callGas = 1_000_000
/** Public nodes allow 50 M. */
const aggregateGas = 30_000_000
/** An honest call through a proxy costs up to 60,000 gas. */
const callsPerAggregateMax = 300
const aggregateBytesMax = 4 * 1024 * 1024
const singlesPerBatchMax = 50
const inFlightMax = 4

/** A node without the contract's state returns no data. */
export const isReturnedData = (result: CallResult): boolean => result.ok && result.data !== '0x'

/** State after this block; a `BlockRef` also requires its branch. */
type At = Parameters<ChainReader['callContracts']>[1]

/** One result per call, in order. */
export type ContractCalls = (
  calls: readonly ContractCall[],
  at: At,
) => Promise<Outcome<readonly CallResult[], RpcCallFault>>

type Results = Outcome<readonly CallResult[], RpcCallFault>

const reverted: CallResult = { ok: false, reason: 'reverted' }
const tooLarge: CallResult = { ok: false, reason: 'too-large' }
export const unanswered: CallResult = { ok: false, reason: 'unanswered' }

const returned = (data: Hex): CallResult =>
  data.length > resultCharsMax ? tooLarge : { ok: true, data }

const branchOf = (at: At): BlockRef | null => (typeof at === 'object' ? at : null)

const blockOf = (at: At): BlockNumber | null => {
  if (at === 'latest') return null
  return typeof at === 'object' ? at.block : at
}

/** A node on another branch is not behind, so a `BlockRef` requires no block number. */
const requiredBlockOf = (at: At): BlockNumber | null => (branchOf(at) === null ? blockOf(at) : null)

const ethCall = (call: ContractCall, gas: number, at: At): RpcCall => {
  const block = blockOf(at)
  const tag = block === null ? 'latest' : toQuantity(block)
  return { method: 'eth_call', params: [{ ...call, gas: toQuantity(gas) }, tag] }
}

const readReturned = (answer: RpcResponse): Outcome<Hex, RpcCallFault> => {
  if (!answer.ok) return answer
  const data = readData(answer.value)
  return data === null ? malformed('eth_call returned no bytes') : success(data)
}

const isRejected = (answer: Outcome<Hex, RpcCallFault>): boolean =>
  !answer.ok && answer.fault.kind === 'rejected'

/** Only the EVM's own words and our own limit speak of the contract. */
const resultOf = (answer: Outcome<Hex, RpcCallFault>): CallResult => {
  if (answer.ok) return returned(answer.value)
  const { kind } = answer.fault
  if (kind === 'reverted') return reverted
  return kind === 'too-large' ? tooLarge : unanswered
}

/**
 * A refused call leaves only its own result unanswered, so that no contract blocks the others. If
 * every call is rejected, the node is at fault.
 */
const readSingles = (answers: readonly Outcome<Hex, RpcCallFault>[]): Results => {
  const [first] = answers
  return first?.ok === false && answers.every(isRejected) ? first : success(answers.map(resultOf))
}

const requestSingles = async (
  endpoints: EndpointPool,
  calls: readonly ContractCall[],
  at: At,
): Promise<Results> => {
  const answers = await requestEach(endpoints, {
    items: calls,
    callOf: (call) => ethCall(call, callGas, at),
    read: readReturned,
    block: requiredBlockOf(at),
    branch: branchOf(at),
    bytesMax: calls.length * 2 * resultCharsMax,
  })
  return answers.ok ? readSingles(answers.value) : answers
}

const createSingles =
  (endpoints: EndpointPool): ContractCalls =>
  (calls, at) =>
    mapChunks(calls, { sizeMax: singlesPerBatchMax, inFlightMax }, (part) =>
      requestSingles(endpoints, part, at),
    )

/** Faults that fewer calls at once may avoid. */
const divisibleKinds: readonly RpcCallFault['kind'][] = [
  'reverted',
  'too-slow',
  'too-large',
  'range-too-large',
]

const requestAggregate = (
  endpoints: EndpointPool,
  multicall3: Address,
  calls: readonly ContractCall[],
  at: At,
): Promise<Outcome<readonly AggregateResult[], RpcCallFault>> =>
  endpoints.request({
    calls: [
      ...branchCalls(branchOf(at)),
      ethCall({ to: multicall3, data: encodeAggregate(calls) }, aggregateGas, at),
    ],
    splittable: false,
    block: requiredBlockOf(at),
    bytesMax: aggregateBytesMax,
    read: (answers) => {
      const onBranch = readOnBranch(answers, branchOf(at))
      if (!onBranch.ok) return onBranch
      const [answer] = onBranch.value
      const data = answer === undefined ? null : readReturned(answer)
      if (data?.ok === false) return data
      const results = decodeAggregate(data?.value ?? '0x', calls.length)
      // An address without code returns nothing: Multicall3 is not deployed at this block.
      return results.ok
        ? results
        : failure({ kind: 'rejected', detail: 'Multicall3 did not respond' })
    },
  })

/** Aggregates calls; bisection isolates a call that makes the others fail. */
const createAggregated = (
  endpoints: EndpointPool,
  multicall3: Address,
  singles: ContractCalls,
): ContractCalls => {
  /** Another call may have burnt the gas, so every failed call is repeated on its own. */
  const retryFailed = async (
    calls: readonly ContractCall[],
    at: At,
    results: readonly AggregateResult[],
  ): Promise<Results> => {
    const failed = calls.filter((_, i) => results[i]?.success === false)
    const retried = await singles(failed, at)
    // The others were answered: one contract whose call every node refuses must not block them.
    if (!retried.ok && retried.fault.kind !== 'rejected') return retried
    const retriedResults = retried.ok ? retried.value.values() : [].values()
    return success(
      results.map((result) =>
        result.success ? returned(result.returnData) : (retriedResults.next().value ?? unanswered),
      ),
    )
  }

  const aggregate: ContractCalls = async (calls, at) => {
    if (calls.length === 1) return singles(calls, at)
    const results = await requestAggregate(endpoints, multicall3, calls, at)
    if (results.ok) return retryFailed(calls, at, results.value)
    if (results.fault.kind === 'rejected') return singles(calls, at)
    if (!divisibleKinds.includes(results.fault.kind)) return results
    const halves = { sizeMax: Math.ceil(calls.length / 2), inFlightMax: 1 }
    return mapChunks(calls, halves, (part) => aggregate(part, at))
  }

  return (calls, at) =>
    mapChunks(calls, { sizeMax: callsPerAggregateMax, inFlightMax }, (part) => aggregate(part, at))
}

/** Uses Multicall3 if the chain has it, else batches of single calls. */
export const createContractCalls = (deps: {
  readonly endpoints: EndpointPool
  readonly multicall3: Address | null
}): ContractCalls => {
  const { endpoints, multicall3 } = deps
  const singles = createSingles(endpoints)
  return multicall3 === null ? singles : createAggregated(endpoints, multicall3, singles)
}
