import type { Address, Hex } from 'viem'
import { type Rpc, type RpcReceipt, toHex } from './rpc.ts'

/** A contract call: a transaction, or one of many in `TradeRouter.execute`. */
export type Call = {
  readonly target: Address
  readonly data: Hex
  readonly value: bigint
}

const gasOfTransaction = toHex(200_000_000)

export type Transaction = { readonly from: Address; readonly call: Call }

const transactionOf = ({ from, call }: Transaction) => ({
  from,
  to: call.target,
  data: call.data,
  value: toHex(call.value),
  gas: gasOfTransaction,
  gasPrice: '0x0',
})

/** Returns when the node has accepted the transaction, before it is mined. */
export const send = (rpc: Rpc, from: Address, call: Call): Promise<Hex> =>
  rpc.call<Hex>('eth_sendTransaction', transactionOf({ from, call }))

/** Sends all in one request; each sender must be distinct, so that nonces cannot collide. */
export const sendBatch = (rpc: Rpc, transactions: readonly Transaction[]): Promise<Hex[]> =>
  rpc.batch<Hex>(
    'eth_sendTransaction',
    transactions.map((transaction) => [transactionOf(transaction)]),
  )

export const deploy = (rpc: Rpc, from: Address, data: Hex): Promise<Hex> =>
  rpc.call<Hex>('eth_sendTransaction', { from, data, gas: gasOfTransaction, gasPrice: '0x0' })

export const mineAt = (rpc: Rpc, ts: number): Promise<unknown> =>
  rpc.call('evm_mine', { timestamp: ts })

/** Mines the sent transactions and throws if one failed. */
export async function mineAndCheck(rpc: Rpc, ts: number, hashes: readonly Hex[]): Promise<void> {
  await mineAt(rpc, ts)
  const receipts = await rpc.call<readonly RpcReceipt[]>('eth_getBlockReceipts', 'latest')
  const succeeded = new Set(
    receipts
      .filter((receipt) => receipt.status === '0x1')
      .map((receipt) => receipt.transactionHash),
  )
  const failed = hashes.filter((hash) => !succeeded.has(hash))
  if (failed.length > 0) {
    const positions = failed.map((hash) => hashes.indexOf(hash)).join(', ')
    throw new Error(`${failed.length} of ${hashes.length} transactions failed: ${positions}`)
  }
}
