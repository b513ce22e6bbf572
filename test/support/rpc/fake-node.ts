import type { Hash } from '../../../src/domain/units.ts'
import type { RpcCall } from '../../../src/rpc/json-rpc.ts'
import { type Received, serve } from '../net/loopback.ts'

/** How a node answers one call: a result, or an error in JSON-RPC's form. */
export type FakeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

type Request = RpcCall & { readonly id: number }

/** A whole answer, as HTTP brings it. */
export type FakeReply = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

/** What a fake node knows and how it behaves; tests change it as they go. */
export type FakeNode = {
  readonly url: string
  readonly received: readonly Received[]
  /** All calls of all requests, in order. */
  readonly calls: () => readonly RpcCall[]
  chainId: number
  head: number
  /** Which branch of the chain it is on: part of every hash. */
  branch: number
  finalized: number | null
  logs: readonly Record<string, unknown>[]
  /** The number of logs at which it cuts a response without a word. */
  logsMax: number
  /** Answers a call otherwise than the chain would; undefined leaves it as it is. */
  answer: (call: RpcCall) => FakeAnswer | undefined
  /** Answers a whole request otherwise; undefined leaves it as it is. */
  reply: (calls: readonly RpcCall[]) => FakeReply | undefined | Promise<undefined>
}

export const quantity = (value: number) => `0x${value.toString(16)}` as const
export const word = (value: number | bigint): Hash => `0x${value.toString(16).padStart(64, '0')}`
export const hashOf = (block: number, branch = 0): Hash =>
  `0x${'b'.padEnd(8, branch.toString(16))}${block.toString(16).padStart(56, '0')}`
export const tsOf = (block: number): number => 1_750_000_000 + Math.floor(block / 10)

export const headerOf = (block: number, branch = 0): Record<string, unknown> => ({
  number: quantity(block),
  hash: hashOf(block, branch),
  parentHash: block === 0 ? word(0) : hashOf(block - 1, branch),
  timestamp: quantity(tsOf(block)),
  l1BlockNumber: '0x18abcde',
  transactions: [word(7)],
})

export const pool = `0x${'a1'.repeat(20)}` as const
export const topic = word(0x70)

export const logOf = (
  block: number,
  logIndex: number,
  over: Record<string, unknown> = {},
): Record<string, unknown> => ({
  address: pool,
  topics: [topic, word(logIndex)],
  data: word(block),
  blockNumber: quantity(block),
  blockHash: hashOf(block),
  blockTimestamp: quantity(tsOf(block)),
  transactionHash: word(block * 1000 + logIndex),
  transactionIndex: quantity(logIndex),
  logIndex: quantity(logIndex),
  removed: false,
  ...over,
})

const blockNumberOf = (node: FakeNode, tag: string): number | null => {
  if (tag === 'latest') return node.head
  if (tag === 'finalized') return node.finalized
  const number = Number(tag)
  return number <= node.head ? number : null
}

const answerOf = (node: FakeNode, { method, params }: RpcCall): FakeAnswer => {
  if (method === 'eth_chainId') return { result: quantity(node.chainId) }
  if (method === 'eth_getBlockByNumber') {
    const block = blockNumberOf(node, String(params[0]))
    return { result: block === null ? null : headerOf(block, node.branch) }
  }
  if (method === 'eth_getLogs') {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    const within = ({ blockNumber }: Record<string, unknown>) =>
      Number(blockNumber) >= Number(fromBlock) && Number(blockNumber) <= Number(toBlock)
    // As real nodes do: what lies beyond the own head is silently missing.
    return {
      result: node.logs
        .filter(within)
        .filter((log) => Number(log.blockNumber) <= node.head)
        .slice(0, node.logsMax),
    }
  }
  if (method === 'eth_getStorageAt') return { result: '0x2a' }
  return { error: { code: -32601, message: `the method ${method} does not exist` } }
}

/** A real HTTP server that speaks JSON-RPC for a chain of its own invention. */
export const startFakeNode = async (): Promise<FakeNode> => {
  const { url, received } = await serve(async (request, response) => {
    const json = JSON.parse(request.body) as Request | readonly Request[]
    const calls = Array.isArray(json) ? json : [json as Request]
    const reply = await node.reply(calls)
    if (reply !== undefined) {
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
      return
    }
    const answers = calls.map((call) => ({
      jsonrpc: '2.0',
      id: call.id,
      ...(node.answer(call) ?? answerOf(node, call)),
    }))
    response.end(JSON.stringify(Array.isArray(json) ? answers : answers[0]))
  })
  const node: FakeNode = {
    url,
    received,
    calls: () => received.flatMap(({ body }) => JSON.parse(body) as RpcCall | RpcCall[]),
    chainId: 4663,
    head: 1000,
    branch: 0,
    finalized: 900,
    logs: [],
    logsMax: Number.POSITIVE_INFINITY,
    answer: () => undefined,
    reply: () => undefined,
  }
  return node
}
