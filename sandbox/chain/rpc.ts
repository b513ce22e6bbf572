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
  /** One JSON-RPC call; throws the node's own error text. */
  readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T>
}

/** No local node takes this long: a call that does means the node hangs. */
const callMillisMax = 30_000

export function createRpc(url: string): Rpc {
  let id = 0
  return {
    url,
    call: async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
      id += 1
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        signal: AbortSignal.timeout(callMillisMax),
      })
      const reply = (await response.json()) as { result: T; error?: { message: string } }
      if (reply.error) throw new Error(`${method}: ${reply.error.message}`)
      return reply.result
    },
  }
}

export const latestBlock = (rpc: Rpc): Promise<RpcBlock> =>
  rpc.call<RpcBlock>('eth_getBlockByNumber', 'latest', false)

export const genesisBlock = (rpc: Rpc): Promise<RpcBlock> =>
  rpc.call<RpcBlock>('eth_getBlockByNumber', '0x0', false)

export const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`
