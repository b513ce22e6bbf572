import type { Anchor } from '../domain/chain/chain-log.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import { emptyLiquidityMap, liquidityMapOf } from '../domain/pool/liquidity-map.ts'
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
const trackedOf = (stored: StoredPool, ticks: readonly StoredTick[] | undefined): TrackedPool => {
  const map = ticks === undefined ? null : liquidityMapOf(ticks)
  const isBroken = map?.known === false
  return {
    identity: {
      number: stored.number,
      id: stored.id,
      version: stored.version,
      venue: stored.venue,
      key: stored.key,
      createdBlock: stored.createdBlock,
      createdTs: stored.createdTs,
    },
    state: {
      price: stored.price,
      liquidity: stored.liquidity,
      reserves: isBroken ? null : stored.reserves,
      mapFault: isBroken ? 'index_gap' : stored.mapFault,
      lastSwapTs: stored.lastSwapTs,
      lastSwapBlock: stored.lastSwapBlock,
      lastSwapFee: stored.lastSwapFee,
    },
    map: map?.known ? map.value : emptyLiquidityMap,
  }
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
  const tracked = pools.map((pool) => trackedOf(pool, ticks.get(pool.number)))
  return { pools: tracked, indexed: header?.indexed ?? null }
}
