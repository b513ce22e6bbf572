import type { Address, Hex } from 'viem'
import { latestBlock, type Rpc, type RpcReceipt, toHex } from '../chain/rpc.ts'
import { type Call, send } from '../chain/sender.ts'
import { sleep } from '../clock.ts'

export type TransactionCounts = {
  readonly sent: number
  readonly confirmed: number
  /** Reverted on the chain. */
  readonly failed: number
  /** Rejected by the node. */
  readonly refused: number
  /** Not sent, because too many were in flight. */
  readonly skipped: number
  /** Sent but not mined yet. */
  readonly inFlight: number
}

/** Sends transactions without waiting and reads their results from the blocks. */
export type TransactionSender = {
  readonly submit: (from: Address, call: Call) => void
  /** True if the next transaction would be sent and not skipped. */
  readonly hasRoom: () => boolean
  /** Reads the blocks since the last call. */
  readonly confirm: () => Promise<void>
  /** Waits until nothing is in flight; false on timeout. */
  readonly drain: () => Promise<boolean>
  readonly counts: () => TransactionCounts
  /** Number of the last block read. */
  readonly head: () => number
}

/** About six seconds of trading; more in flight means that the node is too slow. */
const inFlightMax = 24

/** After a longer pause the oldest blocks are skipped. */
const blocksMax = 40

const drainTries = 40
const drainMillis = 100

export function createTransactionSender(rpc: Rpc): TransactionSender {
  const inFlight = new Set<Hex>()
  const count = { sent: 0, confirmed: 0, failed: 0, refused: 0, skipped: 0 }
  let sending = 0
  let nextBlock: number | null = null

  const hasRoom = (): boolean => inFlight.size + sending < inFlightMax

  const submit = (from: Address, call: Call): void => {
    if (!hasRoom()) {
      count.skipped += 1
      return
    }
    sending += 1
    send(rpc, from, call)
      .then(
        (hash) => {
          inFlight.add(hash)
          count.sent += 1
        },
        () => {
          count.refused += 1
        },
      )
      .finally(() => {
        sending -= 1
      })
  }
  const confirmBlock = async (number: number): Promise<void> => {
    const receipts = await rpc.call<readonly RpcReceipt[]>('eth_getBlockReceipts', toHex(number))
    for (const { transactionHash, status } of receipts) {
      if (!inFlight.delete(transactionHash)) continue
      if (status === '0x1') count.confirmed += 1
      else count.failed += 1
    }
  }
  const confirm = async (): Promise<void> => {
    const head = Number((await latestBlock(rpc)).number)
    const first = Math.min(nextBlock ?? head, head + 1)
    // Transactions in skipped blocks would stay in flight forever.
    if (head - first >= blocksMax) inFlight.clear()
    for (let block = Math.max(first, head - blocksMax); block <= head; block += 1) {
      await confirmBlock(block)
    }
    nextBlock = head + 1
  }
  const drain = async (): Promise<boolean> => {
    for (let left = drainTries; left > 0; left -= 1) {
      await confirm()
      if (inFlight.size + sending === 0) return true
      await sleep(drainMillis)
    }
    return false
  }
  return {
    submit,
    hasRoom,
    confirm,
    drain,
    counts: () => ({ ...count, inFlight: inFlight.size + sending }),
    head: () => (nextBlock ?? 1) - 1,
  }
}
