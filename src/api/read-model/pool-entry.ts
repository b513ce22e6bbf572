import type { Packed } from '../../domain/packing.ts'
import type { PoolSides } from '../../domain/pool/kind.ts'
import { packState, unpackState } from '../../domain/pool/packed-pool.ts'
import type { PoolVolume } from '../../domain/valuation/pool-view.ts'
import type { FallbackReserve } from '../../domain/valuation/reserves.ts'
import type { ScreenerFigure } from '../../domain/valuation/screener-check.ts'
import type { SwapPool } from '../../domain/valuation/value-swap.ts'
import type { StoredPool } from '../../ports/store-rows.ts'
import type { TokenLabel } from './token-book.ts'

/** What pools of one making have in common; however many there are, they differ in little. */
export type PoolTerms = Pick<StoredPool, 'version' | 'venue'> &
  Pick<StoredPool['key'], 'fee' | 'tickSpacing' | 'hooks'>

/** What others than the chain tell of a pool. */
export type Hearsay = {
  readonly fallback: FallbackReserve | null
  readonly screened: ScreenerFigure | null
}

/**
 * A pool as of one revision of the store. There are very many of which nobody asks for nearly all:
 * what lists are sorted by stands here, what is seldom looked at is packed.
 */
export type KnownPool = Pick<
  StoredPool,
  'number' | 'id' | 'createdBlock' | 'createdTs' | 'lastSwapTs' | 'lastHotTs'
> & {
  readonly terms: PoolTerms
  readonly token0: TokenLabel
  readonly token1: TokenLabel
  readonly state: Packed
}

type Named = Pick<KnownPool, 'token0' | 'token1'>

type Standing = {
  readonly sides: PoolSides
  readonly volume: PoolVolume
  readonly hearsay: Hearsay
}

/** A pool that is listed, because it holds a verified stock. */
export type PoolEntry = KnownPool & Standing

export const knownPoolOf = (
  pool: StoredPool,
  { terms, token0, token1 }: Named & Pick<KnownPool, 'terms'>,
): KnownPool => ({
  number: pool.number,
  id: pool.id,
  terms,
  token0,
  token1,
  createdBlock: pool.createdBlock,
  createdTs: pool.createdTs,
  lastSwapTs: pool.lastSwapTs,
  lastHotTs: pool.lastHotTs,
  state: packState(pool),
})

/** Field by field: a copy that is added to lies in two places, and takes more. */
export const entryOf = (
  pool: KnownPool,
  { token0, token1, sides, volume, hearsay }: Named & Standing,
): PoolEntry => ({
  number: pool.number,
  id: pool.id,
  terms: pool.terms,
  token0,
  token1,
  createdBlock: pool.createdBlock,
  createdTs: pool.createdTs,
  lastSwapTs: pool.lastSwapTs,
  lastHotTs: pool.lastHotTs,
  state: pool.state,
  sides,
  volume,
  hearsay,
})

const keyOf = ({ token0, token1, terms }: PoolEntry): StoredPool['key'] => ({
  token0: token0.address,
  token1: token1.address,
  fee: terms.fee,
  tickSpacing: terms.tickSpacing,
  hooks: terms.hooks,
})

/** The pool as the store told it. */
export const poolOf = (entry: PoolEntry): StoredPool => {
  const state = unpackState(entry.state)
  return {
    number: entry.number,
    id: entry.id,
    version: entry.terms.version,
    venue: entry.terms.venue,
    key: keyOf(entry),
    createdBlock: entry.createdBlock,
    createdTs: entry.createdTs,
    price: state.price,
    liquidity: state.liquidity,
    reserves: state.reserves,
    mapFault: state.mapFault,
    lastSwapTs: state.lastSwapTs,
    lastSwapBlock: state.lastSwapBlock,
    lastSwapFee: state.lastSwapFee,
    lastHotTs: entry.lastHotTs,
  }
}

/** Whether nothing but the volume, and a screener's figure, has changed. */
export const isSamePool = (a: PoolEntry, b: PoolEntry): boolean =>
  a.token0 === b.token0 &&
  a.token1 === b.token1 &&
  a.sides === b.sides &&
  a.state === b.state &&
  a.lastHotTs === b.lastHotTs &&
  a.hearsay.fallback === b.hearsay.fallback

export const stockOf = ({ sides, token0, token1 }: PoolEntry): TokenLabel =>
  sides.stockIsToken0 ? token0 : token1

export const otherOf = ({ sides, token0, token1 }: PoolEntry): TokenLabel =>
  sides.stockIsToken0 ? token1 : token0

export const swapPoolOf = ({ sides, token0, token1, terms }: PoolEntry): SwapPool => ({
  sides,
  decimals0: token0.decimals,
  decimals1: token1.decimals,
  fee: terms.fee,
})

/** Terms that say the same are the same object. */
export const createSharedTerms = () => {
  const known = new Map<string, PoolTerms>()
  return ({ version, venue, key: { fee, tickSpacing, hooks } }: StoredPool): PoolTerms => {
    const name = `${version} ${venue} ${fee} ${tickSpacing} ${hooks}`
    const terms = known.get(name) ?? { version, venue, fee, tickSpacing, hooks }
    known.set(name, terms)
    return terms
  }
}
