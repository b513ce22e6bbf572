import { amountToApprox, stockPriceInOther } from '../../domain/math/pool-price.ts'
import { classifyPool, type TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { microPerUsd } from '../../domain/pool/stored-rows.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import { poolUsdPrices } from '../../domain/price/pool-prices.ts'
import type { ReferenceResult } from '../../domain/price/reference-price.ts'
import type { Reading } from '../../domain/reading.ts'
import { secondsPerHour } from '../../domain/time.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import {
  computeLiquidityUsd,
  isActive,
  meetsHotConditions,
} from '../../domain/valuation/pool-flags.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { EnrichmentBatch } from '../../ports/store-batches.ts'
import type { IndexState } from '../state/index-state.ts'

/** `hot` lasts half an hour beyond its conditions, so two reads a minute miss nothing. */
const readWaitSeconds = 30

type ReferenceOf = (address: Address) => ReferenceResult

/** Finds the pools that meet the conditions of `hot` now (methodology §6). */
export type HotPools = {
  /** Empty within half a minute of chain time after the last read. */
  readonly read: (asOfTs: UnixSeconds, referenceOf: ReferenceOf) => Promise<EnrichmentBatch['hot']>
  /** The pools that met the conditions at the last read. */
  readonly latest: () => readonly PoolNumber[]
}

export const createHotPools = (deps: {
  readonly store: StoreReader
  readonly index: IndexState
  readonly roles: TokenRoles
  readonly decimalsOf: (address: Address) => Reading<number>
}): HotPools => {
  const { store, index, roles, decimalsOf } = deps
  let readTs: UnixSeconds | null = null
  let latest: EnrichmentBatch['hot'] = []

  const readHourVolumes = async (asOfTs: UnixSeconds): Promise<ReadonlyMap<number, number>> => {
    const hour = { afterTs: asOfTs - secondsPerHour, toTs: asOfTs, afterBlock: -1 }
    const rows = await store.snapshot((snapshot) => snapshot.volume(hour))
    return new Map(rows.map(({ pool, usdMicro }) => [pool, Number(usdMicro) / microPerUsd]))
  }

  const liquidityUsd = ({ identity, state }: TrackedPool, referenceOf: ReferenceOf) => {
    const { token0, token1 } = identity.key
    const sides = classifyPool(identity.key, roles)
    if (sides === null || state.reserves === null) return null
    if (hasCustomAccounting({ ...identity, ...state })) return null
    const [decimals0, decimals1] = [decimalsOf(token0), decimalsOf(token1)]
    if (!decimals0.known || !decimals1.known) return null
    const amounts = [
      amountToApprox(state.reserves.amount0, decimals0.value),
      amountToApprox(state.reserves.amount1, decimals1.value),
    ] as const
    const { stockIsToken0, kind } = sides
    const price = stockPriceInOther(state.price, stockIsToken0, decimals0, decimals1)
    const stockRefUsd = referenceOf(stockIsToken0 ? token0 : token1).reference?.usd ?? null
    const otherRefUsd = referenceOf(stockIsToken0 ? token1 : token0).reference?.usd ?? null
    const stockPriceInOtherNow = price.known ? price.value : null
    const prices = poolUsdPrices({
      kind,
      stockPriceInOther: stockPriceInOtherNow,
      stockRefUsd,
      otherRefUsd,
    })
    return computeLiquidityUsd(kind, {
      stockReserve: stockIsToken0 ? amounts[0] : amounts[1],
      otherReserve: stockIsToken0 ? amounts[1] : amounts[0],
      stockRefUsd,
      otherPriceUsd: prices.otherPriceUsd,
    })
  }

  return {
    read: async (asOfTs, referenceOf) => {
      if (readTs !== null && Math.abs(asOfTs - readTs) < readWaitSeconds) return []
      readTs = asOfTs
      const sums = await readHourVolumes(asOfTs)
      // A swap within a quarter of an hour, as `hot` requires, is in the last hour's volume.
      latest = [...sums.keys()].flatMap((number) => {
        const pool = index.pools().byNumber(number)
        if (pool === undefined) return []
        const { identity, state } = pool
        const isHotNow = meetsHotConditions({
          active: isActive({ ...state, createdTs: identity.createdTs }, asOfTs),
          lastSwapTs: state.lastSwapTs,
          vol1hUsd: sums.get(identity.number) ?? 0,
          liquidityUsd: liquidityUsd(pool, referenceOf),
          asOfTs,
        })
        return isHotNow ? [{ pool: identity.number, lastHotTs: asOfTs }] : []
      })
      return latest
    },
    latest: () => latest.map(({ pool }) => pool),
  }
}
