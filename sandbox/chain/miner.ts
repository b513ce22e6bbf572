import { setTimeout as pause } from 'node:timers/promises'
import { nowMillis, nowSeconds } from '../clock.ts'
import { latestBlock, type Rpc, toHex } from './rpc.ts'
import { mineAt } from './sender.ts'

/**
 * Mines blocks at a fixed interval with wall-clock timestamps. With `--block-time` below two
 * seconds anvil keeps 1,500 past states regardless of its flags, 1.7 GB for this chain.
 */
export type Miner = {
  /** Runs the work while mining is paused. */
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
    // Timestamps must not decrease if the clock is set back.
    headTs = Math.max(headTs, nowSeconds())
    await mineAt(rpc, headTs)
  }
  /** Serializes mining and work that requires a pause. */
  const serialize = <T>(next: () => Promise<T>): Promise<T> => {
    const done = work.then(next)
    work = done.catch(() => undefined)
    return done
  }
  const loop = everyTick(blockTimeSeconds, stopped.signal, () =>
    serialize(mineOne).catch(() => {
      errors += 1
    }),
  )
  return {
    pauseDuring: serialize,
    errors: () => errors,
    stop: async () => {
      stopped.abort()
      await loop
    },
  }
}

/**
 * After loading a state, the node can answer pinned calls only for newer blocks. This many blocks
 * cover the confirmed and the finalized head (20 and 64 behind).
 */
const freshBlocks = 80

export async function mineFreshBlocks(rpc: Rpc): Promise<void> {
  const before = Number((await latestBlock(rpc)).timestamp)
  await mineAt(rpc, Math.max(before, nowSeconds()))
  await rpc.call('anvil_mine', toHex(freshBlocks), '0x0')
}

/** Ticks on a fixed grid; ticks missed by a slow one are skipped. */
async function everyTick(
  seconds: number,
  signal: AbortSignal,
  tick: () => Promise<void>,
): Promise<void> {
  const millis = seconds * 1_000
  const start = nowMillis()
  while (!signal.aborted) {
    const waitMs = millis - ((nowMillis() - start) % millis)
    // Rejects only when aborted, which the loop checks.
    await pause(waitMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await tick()
  }
}
