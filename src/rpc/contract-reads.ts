import type { BlockRef } from '../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hash, Hex } from '../domain/units.ts'
import type { CallResult, ChainReader, ContractCall } from '../ports/chain-reader.ts'
import { mapChunks, requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { branchCalls, readOnBranch } from './header.ts'
import { readData, readHash, toQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'
import { type AggregateResult, decodeAggregate, encodeAggregate } from './multicall.ts'

/** Longer return data than any honest reading of a token or pool. */
const resultBytesMax = 64 * 1024
const resultCharsMax = 2 + 2 * resultBytesMax
/** Enough for the dearest honest reading; returns at most about 0.7 MB. */
const callGas = 1_000_000
/** Below the 50 M that public nodes allow. */
const aggregateGas = 30_000_000
/** Three readings of a hundred tokens. An honest one through a proxy costs up to 60,000 gas. */
const callsPerAggregateMax = 300
const aggregateBytesMax = 4 * 1024 * 1024
const singlesPerBatchMax = 50
const inFlightMax = 4

/** After which block; of an anchor on its branch alone. */
type At = Parameters<ChainReader['callContracts']>[1]

/** One result per call, in order. */
export type ContractCalls = (
  calls: readonly ContractCall[],
  at: At,
) => Promise<Outcome<readonly CallResult[], RpcCallFault>>

type Results = Outcome<readonly CallResult[], RpcCallFault>

const reverted: CallResult = { ok: false, reason: 'reverted' }
const tooLarge: CallResult = { ok: false, reason: 'too-large' }

const returned = (data: Hex): CallResult =>
  data.length > resultCharsMax ? tooLarge : { ok: true, data }

const branchOf = (at: At): BlockRef | null => (typeof at === 'object' ? at : null)

const blockOf = (at: At): BlockNumber | null => {
  if (at === 'latest') return null
  return typeof at === 'object' ? at.block : at
}

/** A node with another block of that number is not behind: it may know all that are above it. */
const neededOf = (at: At): BlockNumber | null => (branchOf(at) === null ? blockOf(at) : null)

const ethCall = (call: ContractCall, gas: number, at: At): RpcCall => {
  const block = blockOf(at)
  const tag = block === null ? 'latest' : toQuantity(block)
  return { method: 'eth_call', params: [{ ...call, gas: toQuantity(gas) }, tag] }
}

const readReturned = (answer: RpcResponse): Outcome<Hex, RpcCallFault> => {
  if (!answer.ok) return answer
  const data = readData(answer.value)
  return data === null ? malformed('a call returned no bytes') : success(data)
}

const isRefused = (answer: Outcome<Hex, RpcCallFault>): boolean =>
  !answer.ok && answer.fault.kind === 'rejected'

const resultOf = (answer: Outcome<Hex, RpcCallFault>): CallResult => {
  if (answer.ok) return returned(answer.value)
  const { kind } = answer.fault
  return kind === 'too-large' || kind === 'range-too-large' ? tooLarge : reverted
}

/**
 * A call that ends in words that we do not know has failed, if the node answers others: no contract
 * may hold up its neighbours. Where it refuses every call the node is at fault.
 */
const readSingles = (answers: readonly Outcome<Hex, RpcCallFault>[]): Results => {
  const [first] = answers
  return first?.ok === false && answers.every(isRefused) ? first : success(answers.map(resultOf))
}

const askSingles = async (
  endpoints: EndpointPool,
  calls: readonly ContractCall[],
  at: At,
): Promise<Results> => {
  const answers = await requestEach(endpoints, {
    items: calls,
    callOf: (call) => ethCall(call, callGas, at),
    read: readReturned,
    block: neededOf(at),
    branch: branchOf(at),
    bytesMax: calls.length * 2 * resultCharsMax,
  })
  return answers.ok ? readSingles(answers.value) : answers
}

const createSingles =
  (endpoints: EndpointPool): ContractCalls =>
  (calls, at) =>
    mapChunks(calls, { sizeMax: singlesPerBatchMax, inFlightMax }, (some) =>
      askSingles(endpoints, some, at),
    )

/** What fewer calls at once may cure. */
const divisibleKinds: readonly RpcCallFault['kind'][] = [
  'reverted',
  'too-slow',
  'too-large',
  'range-too-large',
]

const askAggregate = (
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
    block: neededOf(at),
    bytesMax: aggregateBytesMax,
    read: (answers) => {
      const told = readOnBranch(answers, branchOf(at))
      if (!told.ok) return told
      const [answer] = told.value
      const data = answer === undefined ? null : readReturned(answer)
      if (data?.ok === false) return data
      const results = decodeAggregate(data?.value ?? '0x', calls.length)
      // No code at the address returns nothing: at this block there is no Multicall3 yet.
      return results.ok ? results : failure({ kind: 'rejected', detail: 'no Multicall3 answers' })
    },
  })

/** Many calls in one; a call that disturbs the others is found by bisection. */
const createAggregated = (
  endpoints: EndpointPool,
  multicall3: Address,
  singles: ContractCalls,
): ContractCalls => {
  /** A failure may be a neighbour's doing, who burnt the gas: each is asked again alone. */
  const confirmed = async (
    calls: readonly ContractCall[],
    at: At,
    results: readonly AggregateResult[],
  ): Promise<Results> => {
    const failed = calls.filter((_, i) => results[i]?.success === false)
    const again = await singles(failed, at)
    if (!again.ok) return again
    const alone = again.value.values()
    return success(
      results.map((result) =>
        result.success ? returned(result.returnData) : (alone.next().value ?? reverted),
      ),
    )
  }

  const aggregate: ContractCalls = async (calls, at) => {
    if (calls.length === 1) return singles(calls, at)
    const results = await askAggregate(endpoints, multicall3, calls, at)
    if (results.ok) return confirmed(calls, at, results.value)
    if (results.fault.kind === 'rejected') return singles(calls, at)
    if (!divisibleKinds.includes(results.fault.kind)) return results
    const halves = { sizeMax: Math.ceil(calls.length / 2), inFlightMax: 1 }
    return mapChunks(calls, halves, (part) => aggregate(part, at))
  }

  return (calls, at) =>
    mapChunks(calls, { sizeMax: callsPerAggregateMax, inFlightMax }, (some) => aggregate(some, at))
}

/** Over Multicall3 where there is one, else in batches of single calls. */
export const createContractCalls = (deps: {
  readonly endpoints: EndpointPool
  /** Where Multicall3 stands; null if the chain has none. */
  readonly multicall3: Address | null
}): ContractCalls => {
  const { endpoints, multicall3 } = deps
  const singles = createSingles(endpoints)
  return multicall3 === null ? singles : createAggregated(endpoints, multicall3, singles)
}

const wordsPerRequestMax = 100
/** A word is 66 characters, in an envelope of about as many. */
const bytesMax = 1024 * 1024

/** Some nodes leave out the leading zeros. */
const readWord = (answer: RpcResponse): Outcome<Hash, RpcCallFault> => {
  if (!answer.ok) return answer
  const { value } = answer
  const digits = typeof value === 'string' ? /^0x([0-9a-f]{1,64})$/i.exec(value)?.[1] : undefined
  const word = digits === undefined ? null : readHash(`0x${digits.padStart(64, '0')}`)
  return word === null ? malformed('no storage word') : success(word)
}

/** What one contract's slot can not tell is null; a node that tells of none is at fault. */
const readPiece = async (
  endpoints: EndpointPool,
  addresses: readonly Address[],
  slot: Hash,
): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> => {
  const answers = await requestEach(endpoints, {
    items: addresses,
    callOf: (address) => ({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] }),
    read: readWord,
    block: null,
    bytesMax,
  })
  if (!answers.ok) return answers
  const [first] = answers.value
  const isTold = answers.value.some(({ ok }) => ok)
  if (first?.ok === false && !isTold) return first
  return success(answers.value.map((answer) => (answer.ok ? answer.value : null)))
}

/** The same slot of several contracts, in their order. */
export const readStorage = (
  endpoints: EndpointPool,
  addresses: readonly Address[],
  slot: Hash,
): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> =>
  mapChunks(addresses, { sizeMax: wordsPerRequestMax, inFlightMax }, (some) =>
    readPiece(endpoints, some, slot),
  )
