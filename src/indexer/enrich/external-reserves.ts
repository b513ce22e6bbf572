import { parseWords, uint256At } from '../../domain/dex/abi-words.ts'
import { amountToApprox } from '../../domain/math/pool-price.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Reading } from '../../domain/reading.ts'
import { type Address, nativeAddress, type PoolId, type UnixSeconds } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Screener, ScreenerRow } from '../../ports/sources.ts'
import type { ExternalReserve } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { createRoundRobin } from '../../util/round-robin.ts'
import type { IndexState } from '../state/index-state.ts'
import { createPoolSelector } from '../state/pool-selection.ts'
import { describeFault } from '../sync-fault.ts'
import type { SourceReport } from './source-report.ts'

/** Screeners answer anew every minute or so; a quarter of their limit bears three lost answers. */
const readWaitMs = 30_000
/** Sooner after a fault: one lost answer must neither age the source nor empty the rows. */
const faultWaitMs = 10_000
/** While nothing is worth asking about, as before the first prices: it may be at any moment. */
const idleWaitMs = 10_000
/** Pools asked about per pass: a few requests, far below what any screener allows in a minute. */
const poolsMax = 120
/** balanceOf(address) */
const balanceSelector = '0x70a08231'

type Deps = {
  readonly chain: ChainReader
  readonly clock: Clock
  readonly logger: Logger
  readonly index: IndexState
  readonly decimalsOf: (address: Address) => Reading<number>
  /** Pools that are hot now: worth a second opinion. */
  readonly hotPools: () => readonly PoolNumber[]
  /** Null where the network has none: then only balances are read. */
  readonly screener: { readonly source: Screener; readonly report: SourceReport } | null
}

/**
 * Reserves of the pools whose liquidity map does not tell them, and a screener's word on those and
 * on the hot ones (methodology §4).
 */
export type ExternalReserves = {
  readonly step: () => Promise<StepResult>
  readonly rows: () => readonly ExternalReserve[]
}

/** Numbers are given anew once a branch is replaced or all is read again; ids are for ever. */
type Told = { readonly id: PoolId; readonly row: ExternalReserve }

/** Reserves that a hook keeps for itself nobody else can tell. */
const lacksReserves = ({ identity, state }: TrackedPool): boolean =>
  state.price !== null && state.reserves === null && !hasCustomAccounting({ ...identity, ...state })

export const selectPoolsWithoutReserves = createPoolSelector(lacksReserves)

/** Whole tokens of both sides, by the tokens' addresses; null where a token is another one. */
const amountsOf = ({ identity }: TrackedPool, { reserves }: ScreenerRow) => {
  const { token0, token1 } = identity.key
  const first = reserves.findIndex(({ address }) => address === token0)
  const second = reserves.findIndex(({ address }) => address === token1)
  // Ether's side is shown as ether or as wrapped ether; it is the one that is left.
  const ether = token0 === nativeAddress && second !== -1 ? 1 - second : -1
  const amount0 = reserves[first === -1 ? ether : first]?.amount
  const amount1 = reserves[second]?.amount
  const isTold = amount0 !== undefined && amount1 !== undefined
  return isTold ? { amount0, amount1 } : { amount0: null, amount1: null }
}

const reserveOfScreener = (pool: TrackedPool, row: ScreenerRow): Told => ({
  id: pool.identity.id,
  row: {
    pool: pool.identity.number,
    source: 'screener',
    ...amountsOf(pool, row),
    liquidityUsd: row.liquidityUsd,
    ts: row.fetchedTs,
  },
})

const isEmpty = ({ row: { amount0, liquidityUsd } }: Told): boolean =>
  amount0 === null && liquidityUsd === null

const firstOf = (pools: Iterable<TrackedPool>): readonly TrackedPool[] => {
  for (const pool of pools) return [pool]
  return []
}

export const createExternalReserves = (deps: Deps): ExternalReserves => {
  const { chain, clock, logger, index, decimalsOf, hotPools, screener } = deps
  const [lackingInTurn, hotInTurn] = [createRoundRobin(), createRoundRobin()]
  let balances: readonly Told[] = []
  let screened: readonly Told[] = []

  const balanceOf = (answer: CallResult | undefined, token: Address): number | null => {
    const decimals = decimalsOf(token)
    if (!answer?.ok || !decimals.known) return null
    const words = parseWords(answer.data, 1)
    const raw = words && uint256At(words, 0)
    return raw === null ? null : amountToApprox(raw, decimals.value)
  }

  /** v3 only: a v4 pool has no balance of its own. Null if the chain did not answer. */
  const readBalances = async (
    pools: readonly TrackedPool[],
    at: { readonly block: number; readonly ts: UnixSeconds },
  ): Promise<readonly Told[] | null> => {
    const calls = pools.flatMap(({ identity: { id, key } }) =>
      [key.token0, key.token1].map(
        (to) => ({ to, data: `${balanceSelector}${id.slice(2).padStart(64, '0')}` }) as const,
      ),
    )
    const answers = await chain.callContracts(calls, at.block)
    if (!answers.ok) {
      logger.warn('Pool balances could not be read', answers.fault)
      return null
    }
    return pools.map(({ identity: { id, number, key } }, position) => {
      const [balance0, balance1] = answers.value.slice(position * 2)
      const amount0 = balanceOf(balance0, key.token0)
      const amount1 = balanceOf(balance1, key.token1)
      const amounts = { amount0, amount1, liquidityUsd: null }
      return { id, row: { pool: number, source: 'balance', ...amounts, ts: at.ts } }
    })
  }

  /** Null if the screener did not answer. */
  const readScreener = async (pools: readonly TrackedPool[]): Promise<readonly Told[] | null> => {
    if (screener === null) return []
    const read = await screener.source.read(
      pools.map((pool) => pool.identity.id),
      clock.now(),
    )
    if (!read.ok) {
      await screener.report.failure(describeFault(read.fault))
      return null
    }
    // A dead pool is simply missing at a screener: fewer rows than pools are no fault of it.
    await screener.report.success()
    const byId = new Map(read.value.map((row) => [row.poolId, row]))
    return pools.flatMap((pool) => {
      const row = byId.get(pool.identity.id)
      const reserve = row === undefined ? null : reserveOfScreener(pool, row)
      return reserve === null || isEmpty(reserve) ? [] : [reserve]
    })
  }

  /** Those that have nothing else come first. */
  const worthAsking = (lacking: readonly TrackedPool[]): readonly TrackedPool[] => {
    const hot = hotPools().flatMap((number) => index.pools().byNumber(number) ?? [])
    const others = hot.filter((pool) => !lacking.includes(pool))
    return [...lacking, ...hotInTurn(others, poolsMax - lacking.length)]
  }

  const step = async (): Promise<StepResult> => {
    const at = index.cursor()
    if (at === null) return { waitMs: 1000 }
    const book = index.pools()
    const lacking = lackingInTurn([...selectPoolsWithoutReserves(book).values()], poolsMax)
    const v3 = lacking.filter((pool) => pool.identity.version === 'v3')
    const asked = worthAsking(lacking)
    const readings = [
      v3.length === 0 ? [] : await readBalances(v3, at),
      // One pool is always asked for, to know whether it would answer.
      await readScreener(asked.length > 0 ? asked : firstOf(book.all())),
    ] as const
    // What was told before stays, with its age.
    balances = readings[0] ?? balances
    screened = readings[1] ?? screened
    if (readings.includes(null)) return { waitMs: faultWaitMs }
    return { waitMs: asked.length > 0 ? readWaitMs : idleWaitMs }
  }

  const isStill = ({ id, row }: Told): boolean => index.pools().idOf(row.pool) === id

  return {
    step,
    rows: () => [...balances, ...screened].filter(isStill).map(({ row }) => row),
  }
}
