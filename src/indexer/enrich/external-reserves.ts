import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { amountToApprox } from '../../domain/math/pool-price.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Reading } from '../../domain/reading.ts'
import { holdsRebasing, type StandardOf } from '../../domain/stock/stock-standard.ts'
import { type Address, nativeAddress, type PoolId, type UnixSeconds } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Screener, ScreenerRow } from '../../ports/sources.ts'
import type { ExternalReserve } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { createRoundRobin } from '../../util/round-robin.ts'
import { readPoolBalances } from '../read-pool-balances.ts'
import type { SourceReport } from '../source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import { createPoolSelector, type PoolSelector } from '../state/pool-selection.ts'
import { describeFault } from '../sync-fault.ts'

/** Screeners update about once a minute; a quarter of their age limit allows three lost reads. */
const readWaitMs = 30_000
/** Shorter after a fault: one lost read must neither age the source nor empty the rows. */
const faultWaitMs = 10_000
/** While no pool needs external data, as before the first prices. */
const idleWaitMs = 10_000
/** Pools per pass: a few requests, far below any screener's limit per minute. */
const poolsMax = 120

type Deps = {
  readonly chain: ChainReader
  readonly clock: Clock
  readonly logger: Logger
  readonly index: IndexState
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly poolsWithoutReserves: PoolSelector
  /** Hot pools are compared with the screener, too. */
  readonly hotPools: () => readonly PoolNumber[]
  /** Null on networks without a screener: only balances are read. */
  readonly screener: { readonly source: Screener; readonly report: SourceReport } | null
}

/**
 * External data: balances of pools whose tick map gives no reserves, and a screener's rows of
 * those and of hot pools (methodology §4).
 */
export type ExternalReserves = {
  readonly step: () => Promise<StepResult>
  readonly rows: () => readonly ExternalReserve[]
}

/** A branch replacement or a reset may reassign a pool's number; its id never changes. */
type ReservesById = { readonly id: PoolId; readonly row: ExternalReserve }

/** Reserves in a hook's custody cannot be read from outside. */
const hasUnknownReserves = ({ identity, state }: TrackedPool): boolean =>
  state.price !== null && state.reserves === null && !hasCustomAccounting({ ...identity, ...state })

/** Pools whose reserves are not those of their tick map: unknown, or of a rebasing token. */
export const createPoolsWithoutReserves = (standardOf: StandardOf): PoolSelector =>
  createPoolSelector(
    (pool) =>
      hasUnknownReserves(pool) ||
      (pool.state.price !== null && holdsRebasing(pool.identity.key, standardOf)),
  )

/** Amounts of both sides in whole tokens; null unless the row has both of the pool's tokens. */
const matchAmounts = ({ identity }: TrackedPool, { reserves }: ScreenerRow) => {
  const { token0, token1 } = identity.key
  const first = reserves.findIndex(({ address }) => address === token0)
  const second = reserves.findIndex(({ address }) => address === token1)
  // Screeners list ether as ether or as wrapped ether: it is the other side.
  const ether = token0 === nativeAddress && second !== -1 ? 1 - second : -1
  const amount0 = reserves[first === -1 ? ether : first]?.amount
  const amount1 = reserves[second]?.amount
  const isComplete = amount0 !== undefined && amount1 !== undefined
  return isComplete ? { amount0, amount1 } : { amount0: null, amount1: null }
}

const toScreenerReserve = (pool: TrackedPool, row: ScreenerRow): ReservesById => ({
  id: pool.identity.id,
  row: {
    pool: pool.identity.number,
    source: 'screener',
    ...matchAmounts(pool, row),
    liquidityUsd: row.liquidityUsd,
    ts: row.fetchedTs,
  },
})

const isEmpty = ({ row: { amount0, liquidityUsd } }: ReservesById): boolean =>
  amount0 === null && liquidityUsd === null

export const createExternalReserves = (deps: Deps): ExternalReserves => {
  const { chain, clock, logger, index, decimalsOf, hotPools, screener } = deps
  const { poolsWithoutReserves } = deps
  const [rotateMissing, rotateHot] = [createRoundRobin(), createRoundRobin()]
  let balances: readonly ReservesById[] = []
  let screened: readonly ReservesById[] = []

  const approx = (raw: bigint | null, token: Address): number | null => {
    const decimals = decimalsOf(token)
    return raw === null || !decimals.known ? null : amountToApprox(raw, decimals.value)
  }

  /** Of v3 pools: v4 pools have no balances. Null if the calls failed. */
  const readBalances = async (
    pools: readonly TrackedPool[],
    at: { readonly block: number; readonly ts: UnixSeconds },
  ): Promise<readonly ReservesById[] | null> => {
    const identities = pools.map(({ identity }) => identity)
    const held = await readPoolBalances(chain, identities, at.block)
    if (!held.ok) {
      logger.warn('Failed to read pool balances', held.fault)
      return null
    }
    return identities.flatMap(({ id, number, key }, position) => {
      const own = held.value[position] ?? null
      // The previous row stays, with its age: the contracts were not heard.
      if (own === null) return balances.filter((before) => before.id === id)
      const amount0 = approx(own.amount0, key.token0)
      const amount1 = approx(own.amount1, key.token1)
      const amounts = { amount0, amount1, liquidityUsd: null }
      return { id, row: { pool: number, source: 'balance', ...amounts, ts: at.ts } }
    })
  }

  /** Null if the read failed. */
  const readScreener = async (
    pools: readonly TrackedPool[],
  ): Promise<readonly ReservesById[] | null> => {
    if (screener === null) return []
    const read = await screener.source.read(
      pools.map((pool) => pool.identity.id),
      clock.now(),
    )
    if (!read.ok) {
      await screener.report.failure(describeFault(read.fault))
      return null
    }
    // Screeners omit inactive pools: fewer rows than pools are not a failure.
    await screener.report.success()
    const byId = new Map(read.value.map((row) => [row.poolId, row]))
    return pools.flatMap((pool) => {
      const row = byId.get(pool.identity.id)
      const reserve = row === undefined ? null : toScreenerReserve(pool, row)
      return reserve === null || isEmpty(reserve) ? [] : [reserve]
    })
  }

  /** Pools without reserves first, then hot pools. */
  const selectScreened = (missing: readonly TrackedPool[]): readonly TrackedPool[] => {
    const hot = hotPools().flatMap((number) => index.pools().byNumber(number) ?? [])
    const others = hot.filter((pool) => !missing.includes(pool))
    return [...missing, ...rotateHot(others, poolsMax - missing.length)]
  }

  const step = async (): Promise<StepResult> => {
    const at = index.cursor()
    if (at === null) return { waitMs: 1000 }
    const poolSet = index.pools()
    const missing = rotateMissing([...poolsWithoutReserves(poolSet).values()], poolsMax)
    const withBalances = missing.filter(
      ({ identity }) => getProtocol(identity.protocol).emitter === 'pool',
    )
    const screenedPools = selectScreened(missing)
    const [first] = poolSet.all()
    const readings = [
      withBalances.length === 0 ? [] : await readBalances(withBalances, at),
      // Reads at least one pool, so that the source's status stays current.
      await readScreener(screenedPools.length > 0 || first === undefined ? screenedPools : [first]),
    ] as const
    // After a fault the previous rows stay, with their age.
    balances = readings[0] ?? balances
    screened = readings[1] ?? screened
    if (readings.includes(null)) return { waitMs: faultWaitMs }
    return { waitMs: screenedPools.length > 0 ? readWaitMs : idleWaitMs }
  }

  const isCurrent = ({ id, row }: ReservesById): boolean => index.pools().idOf(row.pool) === id

  return {
    step,
    rows: () => [...balances, ...screened].filter(isCurrent).map(({ row }) => row),
  }
}
