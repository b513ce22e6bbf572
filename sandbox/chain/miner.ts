import { setTimeout as pause } from 'node:timers/promises'
import { nowMillis, nowSeconds } from '../clock.ts'
import { latestBlock, type Rpc, toHex } from './rpc.ts'
import { mineAt } from './sender.ts'

/**
 * Mines a block at a steady pace, stamped by the wall clock. The node could do it by itself
 * (`--block-time`), but for block times below two seconds it then keeps 1,500 past states whatever
 * it is told, which is 1.7 GB of this chain.
 */
export type Miner = {
  /** Runs the work while no block is mined. */
  readonly pauseDuring: <T>(work: () => Promise<T>) => Promise<T>
  readonly errors: () => number
  readonly stop: () => Promise<void>
}

export async function startMiner(rpc: Rpc, blockTimeSeconds: number): Promise<Miner> {
  const stopped = new AbortController()
  let errors = 0
  let headTs = Number((await latestBlock(rpc)).timestamp)
  let work: Promise<unknown> = Promise.resolve()

  const mineOne = async (): Promise<void> => {
    // A clock that was put back must not stop the chain.
    headTs = Math.max(headTs, nowSeconds())
    await mineAt(rpc, headTs)
  }
  /** One thing after the other: blocks, and the work that wants none. */
  const inTurn = <T>(next: () => Promise<T>): Promise<T> => {
    const done = work.then(next)
    work = done.catch(() => undefined)
    return done
  }
  const loop = everyTick(blockTimeSeconds, stopped.signal, () =>
    inTurn(mineOne).catch(() => {
      errors += 1
    }),
  )
  return {
    pauseDuring: inTurn,
    errors: () => errors,
    stop: async () => {
      stopped.abort()
      await loop
    },
  }
}

/**
 * After a load the node can answer pinned calls only for blocks mined since. These many at once,
 * all in one second, cover the confirmed and the finalized head (20 and 64 behind).
 */
const freshBlocks = 80

export async function mineFreshBlocks(rpc: Rpc): Promise<void> {
  const before = Number((await latestBlock(rpc)).timestamp)
  await mineAt(rpc, Math.max(before, nowSeconds()))
  await rpc.call('anvil_mine', toHex(freshBlocks), '0x0')
}

/** Ticks on a fixed grid: what took longer than a tick is not made up for. */
async function everyTick(
  seconds: number,
  signal: AbortSignal,
  tick: () => Promise<void>,
): Promise<void> {
  const millis = seconds * 1_000
  const start = nowMillis()
  while (!signal.aborted) {
    const rest = millis - ((nowMillis() - start) % millis)
    // Rejects only when aborted, which the loop looks at.
    await pause(rest, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await tick()
  }
}
