import { classifyPool } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Address } from '../../domain/units.ts'
import type { PoolVolume } from '../../domain/valuation/pool-inputs.ts'
import { unknownFilteredVolume } from '../../domain/volume/pool-sums.ts'
import type { IndexHeader, StoredPool, StoredToken } from '../../ports/store-batches.ts'
import { type Coverage, findPoolGap, listAffectedPools, toCoverage } from './history-coverage.ts'
import {
  createParameterCache,
  type ExternalData,
  isListed,
  type ListedPool,
  type Listing,
  type ModelPool,
  toModelPool,
  withListing,
} from './model-pool.ts'
import type { TokenIndex, TokenInfo } from './token-index.ts'

type GappedPool = Pick<StoredPool, 'number' | 'createdBlock' | 'lastSwapTs'>

/** Removes the sums of incomplete windows. Until then the last swap is unknown, too. */
const withGap = (volume: PoolVolume, pool: GappedPool, coverage: Coverage): PoolVolume => {
  const { hour, day, isBackfilling } = findPoolGap(coverage, pool)
  const isGap = day || (isBackfilling && pool.lastSwapTs === null)
  if (!hour && !isGap) return volume
  return {
    ...volume,
    vol1hUsd: hour ? null : volume.vol1hUsd,
    vol24hUsd: day ? null : volume.vol24hUsd,
    feeYield24h: day ? null : volume.feeYield24h,
    ...(day ? unknownFilteredVolume : {}),
    isGap,
  }
}

type GetInfo = (address: Address) => TokenInfo

/** Joins pools with their tokens, volumes and external data. */
export const createPoolListing = (deps: {
  readonly tokens: TokenIndex
  readonly volumeOf: (pool: PoolNumber) => PoolVolume
  readonly externalOf: (pool: PoolNumber) => ExternalData
}) => {
  const { tokens, volumeOf, externalOf } = deps
  const listParameters = createParameterCache()
  let coverage: Coverage = { gap: null }

  const listingOf = (
    pool: GappedPool,
    { token0, token1 }: StoredPool['key'] | Record<'token0' | 'token1', Address>,
    infoOf: GetInfo,
  ): Listing => ({
    token0: infoOf(token0),
    token1: infoOf(token1),
    classification: classifyPool({ token0, token1 }, tokens.roles),
    volume: withGap(volumeOf(pool.number), pool, coverage),
    external: externalOf(pool.number),
  })

  const toModel = (pool: StoredPool, infoOf: GetInfo): ModelPool =>
    toModelPool(pool, listParameters(pool), listingOf(pool, pool.key, infoOf))

  return {
    /** Returns the pools whose windows become complete or incomplete. */
    applyHeader: (header: IndexHeader): readonly PoolNumber[] => {
      const next = toCoverage(header)
      const affected = listAffectedPools(coverage, next)
      coverage = next
      return [...affected]
    },
    list: (pool: StoredPool): ModelPool => toModel(pool, tokens.infoOf),
    relist: (pool: ModelPool): ModelPool => {
      const key = { token0: pool.token0.address, token1: pool.token1.address }
      return withListing(pool, listingOf(pool, key, tokens.infoOf))
    },
    /** Lists a pool that is not in memory; null if it holds no verified stock. */
    listStored: (pool: StoredPool, stored: readonly StoredToken[]): ListedPool | null => {
      const storedOf = (address: Address) => stored.find((token) => token.address === address)
      const listed = toModel(pool, (address) => tokens.infoFrom(address, storedOf(address)))
      return isListed(listed) ? listed : null
    },
  }
}
