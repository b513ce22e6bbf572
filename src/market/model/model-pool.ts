import type { Packed } from '../../domain/packing.ts'
import { packState, unpackState } from '../../domain/pool/packed-pool.ts'
import type { PoolClassification } from '../../domain/pool/pool-kind.ts'
import type { FallbackReserve } from '../../domain/valuation/pool-reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { PoolVolume } from '../../domain/valuation/value-pool.ts'
import type { SwapPool } from '../../domain/valuation/value-swap.ts'
import type { StoredPool } from '../../ports/store-batches.ts'
import type { TokenInfo } from './token-index.ts'

/** What pools of one making have in common; however many there are, they differ in little. */
export type PoolParameters = Pick<StoredPool, 'version' | 'venue'> &
  Pick<StoredPool['key'], 'fee' | 'tickSpacing' | 'hooks'>

/** What others than the chain tell of a pool. */
export type ExternalData = {
  readonly fallback: FallbackReserve | null
  readonly screened: ScreenerFigure | null
}

/** What the store says of the pool itself. */
type OwnFields = Pick<
  StoredPool,
  'number' | 'id' | 'createdBlock' | 'createdTs' | 'lastSwapTs' | 'lastHotTs'
> & { readonly parameters: PoolParameters; readonly state: Packed }

/** What follows from everything else that the store says. */
export type Listing = {
  readonly token0: TokenInfo
  readonly token1: TokenInfo
  /** Null: the pool is not listed, because it holds no verified stock. */
  readonly classification: PoolClassification | null
  readonly volume: PoolVolume
  readonly external: ExternalData
}

/**
 * A pool as of one revision of the store. There are very many of which nobody asks for nearly all:
 * what lists are sorted by stands here, what is seldom looked at is packed.
 */
export type ModelPool = OwnFields & Listing

export type ListedPool = ModelPool & { readonly classification: PoolClassification }

export const isListed = (pool: ModelPool): pool is ListedPool => pool.classification !== null

/** Field by field: a copy that is added to lies in two places, and takes more. */
export const withListing = (own: OwnFields, listing: Listing): ModelPool => ({
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
      state: packState(pool),
    },
    listing,
  )

/** The pool as the store told it. */
export const toStoredPool = (pool: ModelPool): StoredPool => {
  const { parameters, token0, token1 } = pool
  const state = unpackState(pool.state)
  return {
    number: pool.number,
    id: pool.id,
    version: parameters.version,
    venue: parameters.venue,
    key: {
      token0: token0.address,
      token1: token1.address,
      fee: parameters.fee,
      tickSpacing: parameters.tickSpacing,
      hooks: parameters.hooks,
    },
    createdBlock: pool.createdBlock,
    createdTs: pool.createdTs,
    price: state.price,
    liquidity: state.liquidity,
    reserves: state.reserves,
    mapFault: state.mapFault,
    lastSwapTs: state.lastSwapTs,
    lastSwapBlock: state.lastSwapBlock,
    lastSwapFee: state.lastSwapFee,
    lastHotTs: pool.lastHotTs,
  }
}

/** Whether nothing but the volume, and a screener's figure, has changed. */
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

export const toSwapPool = ({
  classification,
  token0,
  token1,
  parameters,
}: ListedPool): SwapPool => ({
  sides: classification,
  decimals0: token0.decimals,
  decimals1: token1.decimals,
  fee: parameters.fee,
})

/** Terms that say the same are the same object. */
export const createSharedTerms = () => {
  const known = new Map<string, PoolParameters>()
  return ({ version, venue, key: { fee, tickSpacing, hooks } }: StoredPool): PoolParameters => {
    const name = `${version} ${venue} ${fee} ${tickSpacing} ${hooks}`
    const parameters = known.get(name) ?? { version, venue, fee, tickSpacing, hooks }
    known.set(name, parameters)
    return parameters
  }
}
