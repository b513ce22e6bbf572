import { parentPort, workerData } from 'node:worker_threads'
import type { StoreSnapshot } from '../../../src/ports/store.ts'
import { createSqliteReader } from '../../../src/store/sqlite/sqlite-store.ts'
import { ever } from '../../store-contract/fixtures.ts'
import { swapsUpTo } from './numbered-batches.ts'

/** Reads until it has seen batch `last`; says what did not fit together. */
const { path, last, looks, place } = workerData as {
  readonly path: string
  readonly last: number
  /** How often each thread has looked, for the one that writes. */
  readonly looks: Int32Array
  readonly place: number
}

const opened = createSqliteReader({ path })
if (!opened.ok) throw new Error(opened.fault)
const reader = opened.value

const faults: string[] = []
let seen = 0
let revision = 0

const look = async (snapshot: StoreSnapshot): Promise<void> => {
  const header = await snapshot.header()
  const block = header?.cursor?.block ?? 0
  const volume = await snapshot.volume(ever)
  const swaps = volume.reduce((sum, second) => sum + second.swaps, 0)
  const pools = await snapshot.poolsChangedAfter(-1)
  const newest = pools.reduce((max, pool) => (pool.liquidity > max ? pool.liquidity : max), 0n)
  if (swaps !== swapsUpTo(block)) faults.push(`${swaps} swaps at batch ${block}`)
  if (newest !== BigInt(block)) faults.push(`state ${newest} at batch ${block}`)
  if (block < seen || (header?.revision ?? 0) < revision) faults.push(`back to batch ${block}`)
  seen = block
  revision = header?.revision ?? 0
  Atomics.add(looks, place, 1)
}

parentPort?.postMessage('reading')
while (seen < last && faults.length === 0) await reader.snapshot(look)
await reader.close()
parentPort?.postMessage(faults)
