import type { Packed } from '../../domain/packing.ts'
import { packState, unpackState } from '../../domain/pool/packed-pool.ts'
import { feeOfKey } from '../../domain/pool/pool-fees.ts'
import type { PoolClassification } from '../../domain/pool/pool-kind.ts'
import type { PoolVolume } from '../../domain/valuation/pool-inputs.ts'
import type { FallbackReserve } from '../../domain/valuation/pool-reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { SwapViewPool } from '../../domain/valuation/value-swap.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import type { TokenInfo } from './token-index.ts'

/** Parameters that many pools share. */
export type PoolParameters = Pick<StoredPool, 'version' | 'protocol' | 'venue'> &
  Pick<StoredPool['key'], 'fee' | 'tickSpacing' | 'hooks' | 'deployer' | 'parameters'>

/** Reserves and liquidity that an external source reports for a pool. */
export type ExternalData = {
  readonly fallback: FallbackReserve | null
  readonly screened: ScreenerFigure | null
}

/** Fields from the pool's own row. */
type PoolFields = Pick<
  StoredPool,
  'number' | 'id' | 'createdBlock' | 'createdTs' | 'lastSwapTs' | 'lastHotTs'
> & { readonly parameters: PoolParameters; readonly state: Packed }

/** Fields derived from other rows: tokens, stocks, volumes, external data. */
export type Listing = {
  readonly token0: TokenInfo
  readonly token1: TokenInfo
  /** Null: not listed, because the pool holds no verified stock. */
  readonly classification: PoolClassification | null
  readonly volume: PoolVolume
  readonly external: ExternalData
}

/**
 * A pool at one revision. Only what lists sort and filter by is a plain field; the rest is packed,
 * because there may be a million pools and few are ever requested.
 */
export type ModelPool = PoolFields & Listing

export type ListedPool = ModelPool & { readonly classification: PoolClassification }

export const isListed = (pool: ModelPool): pool is ListedPool => pool.classification !== null

/** Field by field: an object that grows after a spread takes more memory. */
export const withListing = (own: PoolFields, listing: Listing): ModelPool => ({
  number: own.number,
  id: own.id,
  parameters: own.parameters,
  token0: listing.token0,
  token1: listing.token1,
  createdBlock: own.createdBlock,
  createdTs: own.createdTs,
  lastSwapTs: own.lastSwapTs,
  lastHotTs: own.lastHotTs,
  state: own.state,
  classification: listing.classification,
  volume: listing.volume,
  external: listing.external,
})

export const toModelPool = (
  pool: StoredPool,
  parameters: PoolParameters,
  listing: Listing,
): ModelPool =>
  withListing(
    {
      number: pool.number,
      id: pool.id,
      parameters,
      createdBlock: pool.createdBlock,
      createdTs: pool.createdTs,
      lastSwapTs: pool.lastSwapTs,
      lastHotTs: pool.lastHotTs,
      state: packState(pool, pool),
    },
    listing,
  )

export const toStoredPool = (pool: ModelPool): StoredPool => {
  const { parameters, token0, token1, createdBlock } = pool
  const { protocol, fee } = parameters
  const state = unpackState(pool.state, { protocol, createdBlock, key: { fee } })
  return {
    number: pool.number,
    id: pool.id,
    version: parameters.version,
    protocol: parameters.protocol,
    venue: parameters.venue,
    key: {
      token0: token0.address,
      token1: token1.address,
      fee: parameters.fee,
      tickSpacing: parameters.tickSpacing,
      hooks: parameters.hooks,
      ...(parameters.deployer === undefined ? {} : { deployer: parameters.deployer }),
      ...(parameters.parameters ? { parameters: parameters.parameters } : {}),
    },
    createdBlock: pool.createdBlock,
    createdTs: pool.createdTs,
    price: state.price,
    liquidity: state.liquidity,
    reserves: state.reserves,
    depth: state.depth,
    mapFault: state.mapFault,
    lastSwapTs: state.lastSwapTs,
    lastSwapBlock: state.lastSwapBlock,
    lastSwapFee: state.lastSwapFee,
    fees: state.fees,
    settings: state.settings,
    lastHotTs: pool.lastHotTs,
  }
}

/** Whether at most the volume and the screener's figure changed. */
export const isUnchangedPool = (a: ModelPool, b: ModelPool): boolean =>
  a.token0 === b.token0 &&
  a.token1 === b.token1 &&
  a.classification === b.classification &&
  a.state === b.state &&
  a.lastHotTs === b.lastHotTs &&
  a.external.fallback === b.external.fallback

export const stockTokenOf = ({ classification, token0, token1 }: ListedPool): TokenInfo =>
  classification.stockIsToken0 ? token0 : token1

export const otherTokenOf = ({ classification, token0, token1 }: ListedPool): TokenInfo =>
  classification.stockIsToken0 ? token1 : token0

export const toSwapViewPool = ({
  classification,
  token0,
  token1,
  parameters,
}: ListedPool): SwapViewPool => ({
  classification,
  decimals0: token0.decimals,
  decimals1: token1.decimals,
  fee: feeOfKey(parameters),
})

/** Returns one shared object per set of parameters. */
export const createParameterCache = () => {
  const cache = new Map<string, PoolParameters>()
  return ({ version, protocol, venue, key: { token0: _0, token1: _1, ...rest } }: StoredPool) => {
    const { fee, tickSpacing, hooks, deployer, parameters: ofKey } = rest
    const key = `${protocol} ${venue} ${fee} ${tickSpacing} ${hooks} ${deployer} ${ofKey}`
    const own: PoolParameters = { version, protocol, venue, ...rest }
    const parameters = cache.get(key) ?? own
    cache.set(key, parameters)
    return parameters
  }
}
