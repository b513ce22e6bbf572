import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { createPoolFold, type PastPrice, pastPriceAt } from '../../domain/pool/pool-fold.ts'
import { candleWidths } from '../../domain/pool/stored-rows.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import { yieldToEventLoop } from '../../util/time-slice.ts'
import type { PastBlock } from './resolve-block.ts'

/** A few milliseconds of work. */
const changesPerPage = 1_000
/** Bounds how long one request holds a connection of the store. */
const pagesMax = 100

/** Whether a row shows that the pool had a price: `Initialize` of v3 is not stored. */
const wasInitialised = async (
  snapshot: StoreSnapshot,
  { number: pool, protocol }: StoredPool,
  { block, timed }: PastBlock,
): Promise<boolean> => {
  if (getProtocol(protocol).hasPriceAtCreation) return true
  const beginning = { block: -1, logIndex: 0 }
  const [first] = await snapshot.liquidityChanges({ pool, after: beginning, rowsMax: 1 })
  if (first !== undefined && first.block <= block) return true
  for (const width of candleWidths) {
    const fromTs = bucketStart(timed.ts, width)
    const { before } = await snapshot.candles({ pool, width, fromTs, toTs: fromTs - 1 })
    if (before !== null) return true
  }
  return false
}

/** The price at a block; null if no stored row shows it. */
export const readPastPrice = async (
  snapshot: StoreSnapshot,
  pool: StoredPool,
  at: PastBlock,
): Promise<PastPrice | null> => {
  const { block } = at
  const query = { pool: pool.number, fromTs: 0, toBlock: block, rowsMax: 1 }
  const [swap = null] = await snapshot.swaps(query)
  const isUnswapped = pool.lastSwapBlock === null && pool.price !== null
  return pastPriceAt({ state: pool }, swap, {
    block,
    wasInitialised: isUnswapped && (await wasInitialised(snapshot, pool, at)),
  })
}

/** The pool at a block. A pool with too many changes since gets `index_gap`. */
export const foldPool = async (
  snapshot: StoreSnapshot,
  pool: StoredPool,
  { at, price }: { readonly at: PastBlock; readonly price: PastPrice },
): Promise<TrackedPool> => {
  const ticks = await snapshot.ticksOfPool(pool.number)
  const fold = createPoolFold({ identity: pool, state: pool, ticks }, price, at.block)
  let { after } = fold
  for (let page = 0; page < pagesMax; page++) {
    const query = { pool: pool.number, after, rowsMax: changesPerPage }
    const changes = await snapshot.liquidityChanges(query)
    for (const change of changes) fold.add(change)
    const last = changes.at(-1)
    if (last === undefined || changes.length < changesPerPage) return fold.finish(true)
    after = last
    await yieldToEventLoop()
  }
  return fold.finish(false)
}
