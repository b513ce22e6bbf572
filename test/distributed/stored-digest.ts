import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { StoredRangeEvents } from '../../src/domain/ingest/pool-events.ts'
import type { Store } from '../../src/ports/store.ts'
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createSqliteReader, createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { launch, stop } from '../service/launch.ts'
import { eventually, type House, patience } from './house.ts'

/** What a store holds of the chain up to a block, in a form that any two of one chain agree on. */
export type StoredDigest = {
  readonly pools: number
  readonly swaps: number
  readonly changes: number
  readonly sha256: string
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

/** What each index reads at a moment of its own: prices, fees that no log says, and the sender. */
const atItsTime = {
  usdMicro: null,
  estimated: false,
  implausible: false,
  lpFee: null,
  feeYield: null,
  trader: null,
}

const linesOf = ({ swaps, liquidity }: StoredRangeEvents, idOf: (pool: number) => string) => ({
  swaps: swaps.map(({ pool, ...swap }) => text([idOf(pool), { ...swap, ...atItsTime }])),
  changes: liquidity.map(({ pool, ...change }) => text([idOf(pool), change])),
})

const digestIn = async (store: Store, block: number): Promise<StoredDigest> => {
  const pools = await store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))
  const ids = new Map(pools.map(({ number, id }) => [number, id]))
  const events = await store.readEvents({ from: 0, to: block })
  const { swaps, changes } = linesOf(events, (pool) => ids.get(pool) ?? '')
  const known = pools.filter(({ createdBlock }) => createdBlock <= block).map(({ id }) => id)
  const hash = createHash('sha256')
  for (const line of [...known, ...swaps, ...changes].toSorted()) hash.update(`${line}\n`)
  const counts = { pools: known.length, swaps: swaps.length, changes: changes.length }
  return { ...counts, sha256: hash.digest('hex') }
}

export const digestOf = async (url: string, block: number): Promise<StoredDigest> => {
  const store = await createPostgresStore({ url, leaseGeneration: null })
  if (!store.ok) throw new Error(store.fault)
  try {
    return await digestIn(store.value, block)
  } finally {
    await store.value.close()
  }
}

const blockIn = async (path: string): Promise<number> => {
  const reader = createSqliteReader({ path })
  if (!reader.ok) return 0
  const header = await reader.value.snapshot((snapshot) => snapshot.header())
  await reader.value.close()
  return header?.cursor?.block ?? 0
}

/** The same of a new SQLite store that one process has filled in peace. */
export const freshDigestOf = async (
  { directory, network }: House,
  block: number,
): Promise<StoredDigest> => {
  const path = join(directory, 'fresh.db')
  const running = launch(['index', '--network', network, '--store', `sqlite:${path}`], {
    directory,
  })
  await eventually(
    () => blockIn(path),
    (now) => now >= block,
    patience,
  )
  await stop(running)
  const store = createSqliteStore({ path })
  if (!store.ok) throw new Error(store.fault)
  try {
    return await digestIn(store.value, block)
  } finally {
    await store.value.close()
  }
}
