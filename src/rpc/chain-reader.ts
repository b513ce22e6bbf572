import type { Finality } from '../domain/chain/finality.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import type { HttpClient } from '../net/http-client.ts'
import type { Timer } from '../net/timer.ts'
import type { BlockRange, ChainReader, LogFilter, RpcFault } from '../ports/chain-reader.ts'
import type { Logger } from '../ports/runtime.ts'
import { createSecretRedactor } from '../util/redact.ts'
import { createBlockTimes } from './block-times.ts'
import type { RpcCallFault } from './classify-error.ts'
import { createContractCalls, readStorage } from './contract-reads.ts'
import { createRpcEndpoint, type EndpointReport, type RpcEndpoint } from './endpoint.ts'
import { createEndpointPool, type EndpointPool } from './endpoint-pool.ts'
import { headerCall, readHeader, readHeads, toBlockRef } from './header.ts'
import { createJsonRpc, type RpcCall, type RpcResponse } from './json-rpc.ts'
import { readCrossChecked, readRange } from './read-range.ts'

export type ChainReaderDeps = {
  /** The preferred one first; may carry keys, of which nothing is ever shown. */
  readonly urls: readonly string[]
  readonly chainId: number
  readonly multicall3: Address | null
  readonly finality: Finality
  readonly httpClient: HttpClient
  readonly timer: Timer
  /** 0 to 1, for the jitter of waits. */
  readonly random: () => number
  readonly logger: Logger
  /** Ends every wait, for an orderly stop. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<ChainReaderLimits>
}

export type ChainReaderLimits = {
  /** Of one request, body included. */
  readonly deadlineMs: number
  /** The longest that one question waits for resting endpoints, in all. */
  readonly waitMsMax: number
  /** Of one answer with logs: 30,000 logs of 1 KB. */
  readonly logsBytesMax: number
  /** Calls per request, until an endpoint says less. */
  readonly batchCallsMax: number
}

const limitsDefault: ChainReaderLimits = {
  deadlineMs: 10_000,
  waitMsMax: 10_000,
  logsBytesMax: 32 * 1024 * 1024,
  batchCallsMax: 100,
}

/** Of an answer that is one small thing. */
const smallBytesMax = 1024 * 1024

export type RpcChainReader = ChainReader & {
  readonly endpoints: () => readonly EndpointReport[]
}

/** The kinds that only this folder knows never leave it. */
const toPort = (fault: RpcCallFault): RpcFault => {
  const { detail } = fault
  if (fault.kind === 'too-slow') return { kind: 'timeout', detail }
  const isOwn = fault.kind === 'reverted' || fault.kind === 'batch-too-large'
  return isOwn ? { kind: 'rejected', detail } : fault
}

const answered = async <T>(
  asked: Promise<Outcome<T, RpcCallFault>>,
): Promise<Outcome<T, RpcFault>> => {
  const outcome = await asked
  return outcome.ok ? outcome : failure(toPort(outcome.fault))
}

/** All endpoints as if they were one, and each alone, which is never waited for. */
const createAllEndpoints = (deps: ChainReaderDeps, limits: ChainReaderLimits) => {
  const jsonRpc = createJsonRpc({
    httpClient: deps.httpClient,
    redact: createSecretRedactor(deps.urls),
  })
  const { timer, signal } = deps
  const all = deps.urls.map((url) => createRpcEndpoint({ ...deps, ...limits, url, jsonRpc }))
  const asOne = (endpoints: readonly RpcEndpoint[], waitMsMax: number): EndpointPool =>
    createEndpointPool({ endpoints, timer, waitMsMax, ...(signal === undefined ? {} : { signal }) })
  return {
    endpoints: asOne(all, limits.waitMsMax),
    alone: all.map((endpoint) => asOne([endpoint], 0)),
  }
}

/** Asks one small thing. */
const ask = <T>(
  endpoints: EndpointPool,
  call: RpcCall,
  block: BlockNumber | null,
  read: (answer: RpcResponse | undefined) => Outcome<T, RpcCallFault>,
): Promise<Outcome<T, RpcFault>> =>
  answered(
    endpoints.request({
      calls: [call],
      splittable: false,
      block,
      bytesMax: smallBytesMax,
      read: ([answer]) => read(answer),
    }),
  )

/** Asks nothing: the proof that goes along with every question is the answer. */
const proveChain = (endpoints: EndpointPool, chainId: number): Promise<Outcome<number, RpcFault>> =>
  answered(
    endpoints.request({
      calls: [],
      splittable: false,
      block: null,
      bytesMax: smallBytesMax,
      read: () => success(chainId),
    }),
  )

const readAnchor = (answer: RpcResponse | undefined, block: BlockNumber) => {
  const header = readHeader(answer, block)
  return header.ok ? success(toBlockRef(header.value)) : header
}

/** Reads one chain over all of its endpoints. */
export const createChainReader = (deps: ChainReaderDeps): RpcChainReader => {
  const limits = { ...limitsDefault, ...deps.limits }
  const { endpoints, alone } = createAllEndpoints(deps, limits)
  const blockTimes = createBlockTimes(endpoints)
  const contractCalls = createContractCalls({ endpoints, multicall3: deps.multicall3 })
  const { logsBytesMax: bytesMax } = limits

  const readOver =
    (asked: EndpointPool) =>
    (range: BlockRange, filter: LogFilter, need?: { readonly times: boolean }) =>
      readRange({ endpoints: asked, blockTimes, bytesMax }, range, filter, need)
  const readers = { together: readOver(endpoints), alone: alone.map(readOver) }

  return {
    chainId: () => proveChain(endpoints, deps.chainId),
    getHeads: () => answered(readHeads(endpoints, deps)),
    getBlockRef: (block) =>
      ask(endpoints, headerCall(block), block, (answer) => readAnchor(answer, block)),
    readRange: (range, filter, need) => answered(readers.together(range, filter, need)),
    readRangeCrossChecked: (range, filter, need) =>
      answered(readCrossChecked(readers, range, filter, need)),
    callContracts: (calls, at) => answered(contractCalls(calls, at)),
    getStorageAt: (addresses, slot) => answered(readStorage(endpoints, addresses, slot)),
    endpoints: endpoints.reports,
  }
}
