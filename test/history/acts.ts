import type { Call } from '../../sandbox/chain/sender.ts'
import type { Manifest } from '../../sandbox/manifest.ts'
import {
  addLiquidity,
  createTrade,
  type TradedPool,
  trimLiquidity,
} from '../../sandbox/market/calls.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from '../../src/domain/math/tick-math.ts'

type ManifestPool = Manifest['pools'][number]

const noHooks = `0x${'0'.repeat(40)}` as const

const tradedOf = (pool: ManifestPool): TradedPool => ({
  id: pool.id,
  spec: { version: pool.version },
  key: {
    currency0: pool.token0,
    currency1: pool.token1,
    fee: pool.fee,
    tickSpacing: pool.tickSpacing,
    hooks: pool.hooks ?? noHooks,
  },
})

/** Pools against trusted tokens that trade at their own price, by stock and version. */
export const choosePools = ({ pools }: Manifest, stock: string) =>
  (['v3', 'v4'] as const).map((version) => {
    const found = pools.find(
      (pool) =>
        pool.kind === 'canonical' &&
        pool.version === version &&
        !pool.isHooked &&
        pool.drainedTs === null &&
        pool.positions.length > 2 &&
        [pool.token0Key, pool.token1Key].includes(stock),
    )
    if (found === undefined) throw new Error(`the sandbox has no ${version} pool of ${stock}`)
    return found
  })

/** Sells a ten-thousandth of a whole token of either side for the other. */
export const tradeCall = (manifest: Manifest, pool: ManifestPool, zeroForOne: boolean): Call => {
  const paid = zeroForOne ? pool.token0Key : pool.token1Key
  const decimals = manifest.tokens.find(({ key }) => key === paid)?.decimals ?? 18
  return createTrade(manifest, tradedOf(pool), {
    zeroForOne,
    amount: -(10n ** BigInt(decimals)) / 10_000n,
    limit: zeroForOne ? sqrtPriceMinX96 + 1n : sqrtPriceMaxX96 - 1n,
    recipient: manifest.contracts.router,
  })
}

/** Adds to a position of the router, or removes a part of it. */
export const changeCall = (manifest: Manifest, pool: ManifestPool, kind: 'add' | 'trim'): Call => {
  const [position] = pool.positions
  if (position === undefined) throw new Error(`${pool.id} has no position`)
  return kind === 'add'
    ? addLiquidity(manifest, tradedOf(pool), position, 10n ** 9n)
    : trimLiquidity(manifest, tradedOf(pool), position, 3n)
}
