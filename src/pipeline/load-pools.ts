import type { Anchor } from '../domain/chain/chain-log.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import { liquidityMapOf } from '../domain/pool/liquidity-map.ts'
import type { StoredTick } from '../domain/pool/stored-events.ts'
import type { Store } from '../ports/store.ts'
import type { StoredPool } from '../ports/store-rows.ts'

const groupTicks = async (
  ticks: AsyncIterable<StoredTick>,
): Promise<ReadonlyMap<number, readonly StoredTick[]>> => {
  const byPool = new Map<number, StoredTick[]>()
  for await (const tick of ticks) {
    const rows = byPool.get(tick.pool)
    if (rows === undefined) byPool.set(tick.pool, [tick])
    else rows.push(tick)
  }
  return byPool
}

/** Ticks that make no map are a fault of the index, said as such instead of served as reserves. */
const trackedOf = (stored: StoredPool, ticks: readonly StoredTick[]): TrackedPool => {
  const {
    number,
    id,
    version,
    venue,
    key,
    createdBlock,
    createdTs,
    lastHotTs: _,
    ...state
  } = stored
  const identity = { number, id, version, venue, key, createdBlock, createdTs }
  const map = liquidityMapOf(ticks)
  if (map.known) return { identity, state, map: map.value }
  const empty = liquidityMapOf([])
  if (!empty.known) throw new Error('the empty liquidity map is no map')
  return { identity, state: { ...state, mapFault: 'index_gap', reserves: null }, map: empty.value }
}

/** Every pool as the store holds it, and the block that it stands at. */
export const loadPools = async (
  store: Pick<Store, 'readTicks' | 'snapshot'>,
): Promise<{ readonly pools: readonly TrackedPool[]; readonly indexed: Anchor | null }> => {
  const ticks = await groupTicks(store.readTicks())
  const { header, pools } = await store.snapshot(async (snapshot) => ({
    header: await snapshot.header(),
    pools: await snapshot.poolsChangedAfter(-1),
  }))
  const tracked = pools.map((pool) => trackedOf(pool, ticks.get(pool.number) ?? []))
  return { pools: tracked, indexed: header?.indexed ?? null }
}
