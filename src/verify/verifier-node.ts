import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, BlockNumber, Hash, Hex } from '../domain/units.ts'
import type { HttpClient } from '../net/http-client.ts'
import { isRecord, type JsonRecord } from '../net/json.ts'
import type { Timer } from '../net/timer.ts'
import { readData, readQuantity, toQuantity } from '../rpc/hex.ts'
import { createJsonRpc, type RpcCall, type RpcResponse } from '../rpc/json-rpc.ts'
import { createSecretRedactor } from '../util/redact.ts'
import { type Ask, createAsk } from './node/ask.ts'
import { type NodeFault, nodeFault, toNodeFault } from './node/node-fault.ts'
import { createPace } from './node/pace.ts'
import { createReadLogs, type ReadLogs } from './node/read-logs.ts'

/** A block by its hash; the number is for sentences. */
type At = { readonly block: BlockNumber; readonly hash: Hash }

type StateQuestion = { readonly address: Address; readonly slots: readonly Hash[] }
type ContractCall = { readonly to: Address; readonly data: Hex }
type Answer<T> = Outcome<T, NodeFault>

/** The node that a user trusts less than arithmetic: its answers are evidence, not truth. */
export type VerifierNode = {
  /** Fails unless the node is on this chain. */
  readonly requireChain: (chainId: number) => Promise<Answer<number>>
  /** The block as the RPC returns it, with the hashes of its transactions. */
  readonly readBlock: (at: Hash | BlockNumber | 'latest') => Promise<Answer<JsonRecord>>
  /**
   * Receipts of a block in its order, for `proveLogs`. A node without `eth_getBlockReceipts` is
   * asked for each transaction of `readBlock`.
   */
  readonly readReceipts: (block: JsonRecord) => Promise<Answer<unknown>>
  /** Answers to `eth_getProof` after the block, in the order of the questions. */
  readonly readProofs: (
    questions: readonly StateQuestion[],
    at: At,
  ) => Promise<readonly Answer<unknown>[]>
  /** Logs by a filter, which the node states and nothing proves. */
  readonly readLogs: ReadLogs
  /** Return data of contract calls after the block, pinned to its hash (EIP-1898). */
  readonly call: (calls: readonly ContractCall[], at: At) => Promise<readonly Answer<Hex>[]>
}

const blockBytesMax = 16 * 1024 * 1024
const receiptsBytesMax = 128 * 1024 * 1024
const receiptBytesMax = 16 * 1024 * 1024
const wordsBytesMax = 64 * 1024
/** 66 nodes of at most 532 bytes as text, twice for the account and for a slot. */
const proofBytesMax = 128 * 1024

const noAnswer: RpcResponse = failure({ kind: 'malformed', detail: 'no response' })

const read = <T>(
  answer: RpcResponse | undefined,
  question: { readonly method: string; readonly block: BlockNumber | null },
  readValue: (value: unknown) => T | null,
): Answer<T> => {
  const { method } = question
  const received = answer ?? noAnswer
  if (!received.ok) return toNodeFault(received.fault, question)
  const value = readValue(received.value)
  return value === null
    ? nodeFault('refused', `the node's answer to ${method} has another form than specified`)
    : success(value)
}

const readAny = (value: unknown): { readonly value: unknown } => ({ value })

const createReadBlock =
  (ask: Ask): VerifierNode['readBlock'] =>
  async (at) => {
    const isHash = typeof at === 'string' && at !== 'latest'
    const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    const tag = typeof at === 'number' ? toQuantity(at) : at
    const [answer] = await ask([{ method, params: [tag, false] }], { bytesMax: blockBytesMax })
    const unknown = nodeFault('no-block', `the node does not know block ${at}`)
    if (answer?.ok === true && answer.value === null) return unknown
    const isBehind = answer?.ok === false && answer.fault.kind === 'behind'
    return isBehind
      ? unknown
      : read(answer, { method, block: null }, (value) => (isRecord(value) ? value : null))
  }

/** One receipt after the other, where the node has no method for all. */
const readEach = async (ask: Ask, { transactions }: JsonRecord): Promise<Answer<unknown>> => {
  const method = 'eth_getTransactionReceipt'
  const hashes: readonly unknown[] = Array.isArray(transactions) ? transactions : []
  const calls = hashes.map((hash) => ({ method, params: [hash] }))
  const answers = await ask(calls, { bytesMax: receiptBytesMax })
  const receipts: unknown[] = []
  for (const answer of answers) {
    const receipt = read(answer, { method, block: null }, readAny)
    if (!receipt.ok) return receipt
    receipts.push(receipt.value.value)
  }
  return success(receipts)
}

const createReadReceipts =
  (ask: Ask): VerifierNode['readReceipts'] =>
  async (block) => {
    const method = 'eth_getBlockReceipts'
    const call: RpcCall = { method, params: [block.hash] }
    const [answer] = await ask([call], { bytesMax: receiptsBytesMax })
    const receipts = read(answer, { method, block: readQuantity(block.number) }, readAny)
    if (receipts.ok) return success(receipts.value.value)
    if (receipts.fault.kind !== 'no-method') return receipts
    const each = await readEach(ask, block)
    return each.ok ? each : receipts
  }

const createReadProofs =
  (ask: Ask): VerifierNode['readProofs'] =>
  async (questions, { block, hash }) => {
    const method = 'eth_getProof'
    const calls = questions.map(({ address, slots }) => ({
      method,
      params: [address, slots, { blockHash: hash }],
    }))
    const slotsMax = Math.max(0, ...questions.map(({ slots }) => slots.length))
    const answers = await ask(calls, { bytesMax: proofBytesMax * (1 + slotsMax) })
    return questions.map((_, index) => {
      const proof = read(answers[index], { method, block }, readAny)
      return proof.ok ? success(proof.value.value) : proof
    })
  }

const createCall =
  (ask: Ask): VerifierNode['call'] =>
  async (calls, { block, hash }) => {
    const method = 'eth_call'
    const asked = calls.map((call) => ({ method, params: [call, { blockHash: hash }] }))
    const answers = await ask(asked, { bytesMax: wordsBytesMax })
    return calls.map((_, index) => read(answers[index], { method, block }, readData))
  }

const createRequireChain =
  (ask: Ask): VerifierNode['requireChain'] =>
  async (expected) => {
    const method = 'eth_chainId'
    const [answer] = await ask([{ method, params: [] }], { bytesMax: wordsBytesMax })
    const chainId = read(answer, { method, block: null }, readQuantity)
    if (!chainId.ok || chainId.value === expected) return chainId
    const reason = `the node is on chain ${chainId.value}, the service on chain ${expected}`
    return nodeFault('wrong-chain', reason)
  }

/** `requestsPerSecond` counts HTTP requests, of at most `batchMax` calls each. */
export const createVerifierNode = (deps: {
  readonly url: string
  readonly httpClient: HttpClient
  readonly timer: Timer
  readonly requestsPerSecond: number
  readonly batchMax: number
}): VerifierNode => {
  const { url, httpClient, timer, requestsPerSecond, batchMax } = deps
  const jsonRpc = createJsonRpc({ httpClient, redact: createSecretRedactor([url]) })
  const ask = createAsk({
    jsonRpc,
    url,
    timer,
    batchMax,
    pace: createPace(timer, requestsPerSecond),
  })
  return {
    requireChain: createRequireChain(ask),
    readBlock: createReadBlock(ask),
    readReceipts: createReadReceipts(ask),
    readProofs: createReadProofs(ask),
    readLogs: createReadLogs(ask),
    call: createCall(ask),
  }
}
