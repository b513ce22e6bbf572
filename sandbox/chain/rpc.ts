import type { Hex } from 'viem'

export type RpcBlock = {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Hex[]
}

export type RpcLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockTimestamp: Hex
}

export type RpcReceipt = { readonly status: Hex; readonly transactionHash: Hex }

export type Rpc = {
  readonly url: string
  /** One JSON-RPC call; throws the node's error text. */
  readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T>
  /** Many calls of one method in one request. */
  readonly batch: <T>(method: string, paramsList: readonly (readonly unknown[])[]) => Promise<T[]>
}

/** A local node that takes this long hangs. */
const callMillisMax = 30_000

type Reply<T> = { readonly id: number; readonly result: T; readonly error?: { message: string } }

export function createRpc(url: string): Rpc {
  let lastId = 0
  const requestOf = (method: string, params: readonly unknown[]) => {
    lastId += 1
    return { jsonrpc: '2.0', id: lastId, method, params }
  }
  const post = async <T>(body: unknown): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callMillisMax),
    })
    return (await response.json()) as T
  }
  const resultOf = <T>(method: string, reply: Reply<T>): T => {
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`)
    return reply.result
  }
  return {
    url,
    call: async <T>(method: string, ...params: readonly unknown[]): Promise<T> =>
      resultOf(method, await post<Reply<T>>(requestOf(method, params))),
    batch: async <T>(method: string, paramsList: readonly (readonly unknown[])[]): Promise<T[]> => {
      const requests = paramsList.map((params) => requestOf(method, params))
      const replies = await post<readonly Reply<T>[]>(requests)
      return replies.map((reply) => resultOf(method, reply))
    },
  }
}

export const latestBlock = (rpc: Rpc): Promise<RpcBlock> =>
  rpc.call<RpcBlock>('eth_getBlockByNumber', 'latest', false)

export const genesisBlock = (rpc: Rpc): Promise<RpcBlock> =>
  rpc.call<RpcBlock>('eth_getBlockByNumber', '0x0', false)

export const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`
