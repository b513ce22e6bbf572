import { nowSeconds } from '../clock.ts'
import type { Miner } from './miner.ts'
import { latestBlock, type Rpc } from './rpc.ts'
import { mineAt } from './sender.ts'

/**
 * The node copies the hashes of all its blocks into every state it keeps, so memory and the cost
 * of a block grow with the chain. Rolling back one block rebuilds that table with the last 256.
 */
export const renewEveryBlocks = 1_000

/** Call while nobody has a transaction on its way: the block that is given up must be empty. */
export function renewState(rpc: Rpc, miner: Miner): Promise<void> {
  return miner.rest(async () => {
    const before = await latestBlock(rpc)
    await mineAt(rpc, Math.max(Number(before.timestamp), nowSeconds()))
    const spare = await latestBlock(rpc)
    if (spare.transactions.length === 0) await rpc.call('anvil_rollback', 1)
  })
}
