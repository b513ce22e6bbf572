import { chainId, transactionBlocksKept } from './chain/anvil.ts'
import type { Urls } from './network-file.ts'
import type { Pool } from './world/pool.ts'
import { nativeAddress } from './world/tokens.ts'
import { addressOfVenue, protocolOfVenue } from './world/venues.ts'
import { isStock, tokenOf, type World } from './world/world.ts'

/** Pool kind as in docs/methodology.md; `reference` and `none` hold no stock. */
export type PoolKind = 'canonical' | 'meme' | 'stock-stock' | 'reference' | 'none'

const trustedQuotes: readonly string[] = ['USDG', 'WETH', 'ETH']

/**
 * The planned content of the chain, for tests. Positions have range and salt only; read their
 * liquidity from the chain: v3 `positions(keccak256(owner, tickLower, tickUpper))` of the pool,
 * v4 `getPositionInfo(id, owner, tickLower, tickUpper, salt)` of the StateView.
 * A call of `trimV3`/`trimV4` by the owner returns what a burn would pay.
 */
export function createManifest(world: World, urls: Urls) {
  return {
    chainId,
    genesisHash: world.genesisHash,
    genesisTs: world.genesisTs,
    settings: world.settings,
    urls,
    /** The node drops logs of older blocks. */
    transactionBlocksKept,
    accounts: world.accounts,
    contracts: world.contracts,
    multipliers: world.multipliers,
    tokens: Object.values(world.tokens).map(({ spec, address }) => ({
      ...{ key: spec.key, role: spec.role, symbol: spec.symbol, name: spec.name, address },
      decimals: spec.key === 'no-decimals' ? null : spec.decimals,
      /** How the chain confirms a stock; null of other tokens. */
      proof: isStock(spec) ? spec.proof : null,
      oraclePaused: world.oraclePaused[spec.key] ?? false,
      halted: world.halted[spec.key] ?? false,
      feed: world.feeds.find((feed) => feed.tokenKey === spec.key)?.proxy ?? null,
      aggregator: world.feeds.find((feed) => feed.tokenKey === spec.key)?.aggregator ?? null,
    })),
    pools: world.pools
      .filter((pool) => pool.createdTs !== null)
      .map((pool) => entryOf(world, pool)),
  }
}

export type Manifest = ReturnType<typeof createManifest>

function entryOf(world: World, pool: Pool) {
  const { spec, key } = pool
  return {
    id: pool.id,
    version: spec.version,
    venue: spec.venue,
    protocol: protocolOfVenue[spec.venue],
    venueAddress: addressOfVenue(world.contracts, spec.venue),
    kind: kindOf(world, pool),
    roles: spec.roles,
    token0: key.currency0,
    token1: key.currency1,
    token0Key: pool.token0,
    token1Key: pool.token1,
    fee: key.fee,
    tickSpacing: key.tickSpacing,
    hooks: spec.version === 'v4' ? key.hooks : null,
    isHooked: key.hooks !== nativeAddress,
    depthUsd: spec.depthUsd,
    createdTs: pool.createdTs,
    drainedTs: pool.drainedTs,
    positions: pool.positions.map(({ tickLower, tickUpper, salt }) => ({
      owner: world.contracts.router,
      ...{ tickLower, tickUpper, salt },
    })),
  }
}

function kindOf(world: World, pool: Pool): PoolKind {
  const keys = [pool.token0, pool.token1]
  const stocks = keys.filter((key) => isStock(tokenOf(world, key).spec)).length
  const quotes = keys.filter((key) => trustedQuotes.includes(key)).length
  if (stocks === 2) return 'stock-stock'
  if (stocks === 1) return quotes === 1 ? 'canonical' : 'meme'
  return quotes === 2 ? 'reference' : 'none'
}
