import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { Finality } from '../domain/chain/finality.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hash } from '../domain/units.ts'
import type { HttpClient } from '../net/http-client.ts'
import type { Timer } from '../net/timer.ts'
import type { ChainReader, ReadSenders, RpcFault } from '../ports/chain-reader.ts'
import type { Logger } from '../ports/runtime.ts'
import { createSecretRedactor } from '../util/redact.ts'
import { createBlockTimes } from './block-times.ts'
import type { RpcCallFault } from './classify-error.ts'
import { createConfirmedRead } from './confirmed-reads.ts'
import { createContractCalls, isReturnedData, unanswered } from './contract-reads.ts'
import { createRpcEndpoint, type EndpointReport, type RpcEndpoint } from './endpoint.ts'
import { createEndpointPool, type EndpointPool } from './endpoint-pool.ts'
import { headerCall, readHeader, readHeads, toBlockRef } from './header.ts'
import { createJsonRpc, type RpcCall, type RpcResponse } from './json-rpc.ts'
import { createRangeRead, readCrossChecked } from './read-range.ts'
import { readSenders } from './read-senders.ts'
import { createStorageRead, isSetWord } from './read-storage.ts'

export type ChainReaderDeps = {
  /** In order of preference; may contain keys, so only their hosts are shown. */
  readonly urls: readonly string[]
  readonly chainId: number
  readonly multicall3: Address | null
  readonly finality: Finality
  readonly httpClient: HttpClient
  readonly timer: Timer
  /** Number from 0 to 1 for the jitter of waits. */
  readonly random: () => number
  readonly logger: Logger
  /** Ends every wait on shutdown. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<ChainReaderLimits>
}

export type ChainReaderLimits = {
  /** Deadline of one request, including the response body. */
  readonly deadlineMs: number
  /** Total time that one request waits for endpoints in cooldown. */
  readonly waitMsMax: number
  /** Limit of a response with logs: 30,000 logs of 1 KB. */
  readonly logsBytesMax: number
  /** Calls per batch until an endpoint reports a lower limit. */
  readonly batchCallsMax: number
}

const limitsDefault: ChainReaderLimits = {
  deadlineMs: 10_000,
  waitMsMax: 10_000,
  logsBytesMax: 32 * 1024 * 1024,
  batchCallsMax: 100,
}

const smallBytesMax = 1024 * 1024

export type RpcChainReader = ChainReader & {
  readonly readSenders: ReadSenders
  readonly endpoints: () => readonly EndpointReport[]
}

/** Maps the private fault kinds of this folder to those of the port. */
const toPortFault = (fault: RpcCallFault): RpcFault => {
  const { detail } = fault
  if (fault.kind === 'too-slow') return { kind: 'timeout', detail }
  const isPrivate = fault.kind === 'reverted' || fault.kind === 'batch-too-large'
  return isPrivate ? { kind: 'rejected', detail } : fault
}

const withPortFault = async <T>(
  pending: Promise<Outcome<T, RpcCallFault>>,
): Promise<Outcome<T, RpcFault>> => {
  const outcome = await pending
  return outcome.ok ? outcome : failure(toPortFault(outcome.fault))
}

/** One pool of all endpoints, and one per endpoint, which does not wait for a cooldown. */
const createPools = (deps: ChainReaderDeps, limits: ChainReaderLimits) => {
  const jsonRpc = createJsonRpc({
    httpClient: deps.httpClient,
    redact: createSecretRedactor(deps.urls),
  })
  const { timer, signal } = deps
  const all = deps.urls.map((url) => createRpcEndpoint({ ...deps, ...limits, url, jsonRpc }))
  const createPool = (endpoints: readonly RpcEndpoint[], waitMsMax: number): EndpointPool =>
    createEndpointPool({ endpoints, timer, waitMsMax, ...(signal === undefined ? {} : { signal }) })
  return {
    pool: createPool(all, limits.waitMsMax),
    single: all.map((endpoint) => createPool([endpoint], 0)),
  }
}

const requestOne = <T>(
  endpoints: EndpointPool,
  call: RpcCall,
  block: BlockNumber | null,
  read: (answer: RpcResponse | undefined) => Outcome<T, RpcCallFault>,
): Promise<Outcome<T, RpcFault>> =>
  withPortFault(
    endpoints.request({
      calls: [call],
      splittable: false,
      block,
      bytesMax: smallBytesMax,
      read: ([answer]) => read(answer),
    }),
  )

/** Sends no call of its own: every request verifies the chain ID. */
const readChainId = (
  endpoints: EndpointPool,
  chainId: number,
): Promise<Outcome<number, RpcFault>> =>
  withPortFault(
    endpoints.request({
      calls: [],
      splittable: false,
      block: null,
      bytesMax: smallBytesMax,
      read: () => success(chainId),
    }),
  )

const readBlockRef = (answer: RpcResponse | undefined, block: BlockNumber) => {
  const header = readHeader(answer, block)
  return header.ok ? success(toBlockRef(header.value)) : header
}

/** The state reads, each with its confirmed form. */
const createStateReads = (
  { multicall3, timer, signal }: ChainReaderDeps,
  { pool, single }: ReturnType<typeof createPools>,
): Pick<ChainReader, 'callContracts' | 'getStorageAt'> => {
  const callsOf = (endpoints: EndpointPool) => createContractCalls({ endpoints, multicall3 })
  const pooled = callsOf(pool)
  const confirmed = createConfirmedRead({
    pooled,
    single: single.map(callsOf),
    proofs: { isProof: isReturnedData, unanswered },
    timer,
    signal,
  })
  return {
    callContracts: (calls, at, need) =>
      withPortFault((need?.confirmed === true ? confirmed : pooled)(calls, at)),
    getStorageAt: (addresses, slot, at) => {
      const storageOf = (endpoints: EndpointPool) => createStorageRead(endpoints, slot)
      const read = createConfirmedRead<Address, BlockRef, Hash | null>({
        pooled: storageOf(pool),
        single: single.map(storageOf),
        proofs: { isProof: isSetWord, unanswered: null },
        timer,
        signal,
      })
      return withPortFault(read(addresses, at))
    },
  }
}

/** Reads one chain through all of its endpoints. */
export const createChainReader = (deps: ChainReaderDeps): RpcChainReader => {
  const limits = { ...limitsDefault, ...deps.limits }
  const pools = createPools(deps, limits)
  const { pool, single } = pools
  const blockTimes = createBlockTimes(pool)
  const { logsBytesMax: bytesMax } = limits

  const { random } = deps
  const createRangeReader = (endpoints: EndpointPool) =>
    createRangeRead({ endpoints, blockTimes, bytesMax, random })
  const readers = { pooled: createRangeReader(pool), single: single.map(createRangeReader) }

  return {
    chainId: () => readChainId(pool, deps.chainId),
    getHeads: () => withPortFault(readHeads(pool, deps)),
    getBlockRef: (block) =>
      requestOne(pool, headerCall(block), block, (answer) => readBlockRef(answer, block)),
    readRange: (range, filter, need) => withPortFault(readers.pooled(range, filter, need)),
    readRangeCrossChecked: (range, filter, need) =>
      withPortFault(readCrossChecked(readers, range, filter, need)),
    ...createStateReads(deps, pools),
    readSenders: (transactions) => withPortFault(readSenders(pool, transactions)),
    endpoints: pool.reports,
  }
}
