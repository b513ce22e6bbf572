import { classifyPool } from '../../domain/pool/pool-kind.ts'
import { isEmptyPool, type PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { StoredPool, StoredToken } from '../../ports/store-batches.ts'
import { createEmptyPools, type EmptyPoolsBuilder } from './empty-pools.ts'
import type { TokenIndex } from './token-index.ts'

/** Rows in pages; each is read after the previous one was applied. */
export type Pages<Row> = AsyncIterable<readonly Row[]> | readonly (readonly Row[])[]

/** What a change of the verified stocks requires of the store. */
export type StoredPools = {
  readonly stocks: readonly Stock[]
  readonly allPools: () => Pages<StoredPool>
  readonly tokensOf: (pool: PoolNumber) => Promise<readonly StoredToken[]>
}

/** Classifies empty pools by the verified stocks. */
export type EmptyIndex = Pick<EmptyPoolsBuilder, 'remove' | 'touchTokens' | 'finish'> & {
  readonly put: (pool: StoredPool) => void
  /**
   * Classifies all empty pools again after a change of the verified stocks, and returns the pools
   * in memory whose token infos may change.
   */
  readonly relist: (stored: StoredPools) => Promise<readonly PoolNumber[]>
}

export const createEmptyIndex = (
  tokens: TokenIndex,
  isHeld: (id: PoolId) => boolean,
): EmptyIndex => {
  const { roles } = tokens
  const empties = createEmptyPools()

  const put = (pool: StoredPool): void => {
    const { key, number, version, protocol, venue } = pool
    const classification = classifyPool(key, roles)
    if (classification === null) empties.remove(number)
    else {
      const stocks = [key.token0, key.token1].filter(roles.isStock)
      empties.put(pool, { version, protocol, venue, kind: classification.kind, stocks })
    }
  }

  return {
    put,
    remove: empties.remove,
    touchTokens: empties.touchTokens,
    finish: empties.finish,
    relist: async ({ stocks, allPools, tokensOf }) => {
      // A stock that was no held token until now has unread texts and decimals.
      const verified = new Set(stocks.map(({ address }) => address).filter(roles.isStock))
      const poolWith = new Map<Address, PoolNumber>()
      empties.clear()
      for await (const page of allPools()) {
        for (const pool of page) {
          if (isEmptyPool(pool) && !isHeld(pool.id)) put(pool)
          for (const token of [pool.key.token0, pool.key.token1]) {
            if (verified.has(token)) poolWith.set(token, pool.number)
          }
        }
      }
      const affected: PoolNumber[] = []
      for (const [stock, pool] of poolWith) {
        const rows = (await tokensOf(pool)).filter(({ address }) => address === stock)
        affected.push(...tokens.applyTokens(rows))
      }
      return affected
    },
  }
}
