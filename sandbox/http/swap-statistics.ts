import { hexToBigInt, slice } from 'viem'
import { type Rpc, type RpcLog, toHex } from '../chain/rpc.ts'
import type { Pool } from '../world/pool.ts'

/** Swap of UniswapV3Pool, of PancakeV3Pool and of v4's PoolManager. */
const v3Topic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const pancakeTopic = '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83'
const v4Topic = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'

const bucketSeconds = 300
const bucketsMax = 288

export type SwapBucket = {
  readonly startTs: number
  /** Raw amounts of token0 and token1 traded. */
  amount0: number
  amount1: number
  /** Number of swaps that took token0 out of the pool, and that added it. */
  bought0: number
  sold0: number
  /** Square root price after the last swap, Q64.96. */
  sqrtPrice: number
}

/** Counts swaps per pool from logs, in five-minute buckets over a day. */
export type SwapStatistics = {
  /** Reads the logs since the last update. */
  readonly update: () => Promise<void>
  /** Oldest first. */
  readonly bucketsOf: (pool: Pool) => readonly SwapBucket[]
}

export function createSwapStatistics(rpc: Rpc): SwapStatistics {
  const byPool = new Map<string, SwapBucket[]>()
  let nextBlock = 0
  return {
    update: async () => {
      const head = Number(await rpc.call<string>('eth_blockNumber'))
      if (head < nextBlock) return
      const filter = {
        fromBlock: toHex(nextBlock),
        toBlock: toHex(head),
        topics: [[v3Topic, pancakeTopic, v4Topic]],
      }
      const logs = await rpc.call<readonly RpcLog[]>('eth_getLogs', filter)
      nextBlock = head + 1
      for (const log of logs) count(byPool, log)
    },
    bucketsOf: (pool) => byPool.get(pool.id) ?? [],
  }
}

function count(byPool: Map<string, SwapBucket[]>, log: RpcLog): void {
  const isV3 = log.topics[0] !== v4Topic
  const id = (isV3 ? log.address : (log.topics[1] ?? '')).toLowerCase()
  const ts = Number(log.blockTimestamp)
  const buckets = byPool.get(id) ?? []
  byPool.set(id, buckets)
  const startTs = ts - (ts % bucketSeconds)
  let bucket = buckets.at(-1)
  if (bucket?.startTs !== startTs) {
    bucket = { startTs, amount0: 0, amount1: 0, bought0: 0, sold0: 0, sqrtPrice: 0 }
    buckets.push(bucket)
    if (buckets.length > bucketsMax) buckets.shift()
  }
  // v3 amounts are from the pool's side, v4 amounts from the swapper's.
  const amount0 = wordOf(log, 0) * (isV3 ? 1 : -1)
  bucket.amount0 += Math.abs(amount0)
  bucket.amount1 += Math.abs(wordOf(log, 1))
  if (amount0 < 0) bucket.bought0 += 1
  else bucket.sold0 += 1
  bucket.sqrtPrice = wordOf(log, 2)
}

const wordOf = (log: RpcLog, index: number): number =>
  Number(BigInt.asIntN(256, hexToBigInt(slice(log.data, index * 32, index * 32 + 32))))
