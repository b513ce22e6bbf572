import { nowSeconds, sleep } from '../clock.ts'
import { latestBlock, type Rpc } from './rpc.ts'

/**
 * The node copies the hashes of all its blocks into every state it keeps, so memory and the cost
 * of a block grow with the chain. Rolling back one block rebuilds that table with the last 256
 * only. The block that is given up must be empty, so nothing but its hash is lost: to readers
 * it is a reorganisation of depth one.
 */
export const renewEveryBlocks = 1_000

const tries = 40
const tryMillis = 100

/** Call while nobody sends transactions. False if no empty block came in time. */
export async function renewState(rpc: Rpc): Promise<boolean> {
  for (let left = tries; left > 0; left -= 1) {
    const head = await latestBlock(rpc)
    if (head.transactions.length === 0) {
      await rpc.call('anvil_rollback', 1)
      await followClock(rpc)
      return true
    }
    await sleep(tryMillis)
  }
  return false
}

/** From now on new blocks carry the wall clock's time. */
export async function followClock(rpc: Rpc): Promise<void> {
  const before = nowSeconds()
  await rpc.call('evm_setTime', before)
  // A second that ended on the way to the node would leave its clock one second behind.
  if (nowSeconds() !== before) await rpc.call('evm_setTime', nowSeconds())
}
