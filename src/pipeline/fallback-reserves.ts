import { uint256At, wordsOf } from '../domain/dex/abi-words.ts'
import type { TrackedPool } from '../domain/ingest/tracked-pool.ts'
import { amountToApprox } from '../domain/math/price.ts'
import type { PoolNumber } from '../domain/pool/pool-state.ts'
import type { Reading } from '../domain/reading.ts'
import type { Address, UnixSeconds } from '../domain/units.ts'
import { hasCustomAccounting } from '../domain/valuation/reserves.ts'
import type { CallResult, ChainReader } from '../ports/chain.ts'
import type { Clock, Logger } from '../ports/process.ts'
import type { Screener, ScreenerRow } from '../ports/sources.ts'
import type { StoredReserve } from '../ports/store-rows.ts'
import type { IndexBook } from './index-book.ts'
import type { StepResult } from './loop.ts'
import type { SourceReport } from './source-report.ts'

/** Screeners allow a few hundred requests a minute; half their age limit is often enough. */
const readWaitMs = 60_000
/** Sooner after a fault: one lost answer must neither age the source nor empty the rows. */
const faultWaitMs = 15_000
/** Pools asked about per pass: what a screener answers within its rate limit. */
const poolsMax = 120
/** balanceOf(address) */
const balanceSelector = '0x70a08231'

type Deps = {
  readonly chain: ChainReader
  readonly clock: Clock
  readonly logger: Logger
  readonly index: IndexBook
  readonly decimalsOf: (address: Address) => Reading<number>
  /** Null where the network has none: then only balances are read. */
  readonly screener: { readonly source: Screener; readonly report: SourceReport } | null
}

/** Reserves of the pools whose liquidity map does not tell them (methodology §4). */
export type FallbackReserves = {
  readonly step: () => Promise<StepResult>
  readonly rows: () => readonly StoredReserve[]
}

/** Reserves that a hook keeps for itself nobody else can tell. */
const lacksReserves = ({ identity, state }: TrackedPool): boolean =>
  state.price !== null && state.reserves === null && !hasCustomAccounting({ ...identity, ...state })

const reserveOfScreener = (pool: TrackedPool, row: ScreenerRow): StoredReserve => {
  const amountOf = (address: Address): number | null =>
    row.reserves.find((each) => each.address === address)?.amount ?? null
  const { token0, token1 } = pool.identity.key
  return {
    pool: pool.identity.number,
    source: 'screener',
    amount0: amountOf(token0),
    amount1: amountOf(token1),
    ts: row.fetchedTs,
  }
}

export const createFallbackReserves = (deps: Deps): FallbackReserves => {
  const { chain, clock, logger, index, decimalsOf, screener } = deps
  let rows: readonly StoredReserve[] = []

  const balanceOf = (answer: CallResult | undefined, token: Address): number | null => {
    const decimals = decimalsOf(token)
    if (!answer?.ok || !decimals.known) return null
    const words = wordsOf(answer.data, 1)
    const raw = words && uint256At(words, 0)
    return raw === null ? null : amountToApprox(raw, decimals.value)
  }

  /** v3 only: a v4 pool has no balance of its own. Null if the chain did not answer. */
  const readBalances = async (
    pools: readonly TrackedPool[],
    at: { readonly block: number; readonly ts: UnixSeconds },
  ): Promise<readonly StoredReserve[] | null> => {
    const calls = pools.flatMap(({ identity: { id, key } }) =>
      [key.token0, key.token1].map(
        (to) => ({ to, data: `${balanceSelector}${id.slice(2).padStart(64, '0')}` }) as const,
      ),
    )
    const answers = await chain.calls(calls, at.block)
    if (!answers.ok) {
      logger.warn('Pool balances could not be read', answers.fault)
      return null
    }
    return pools.map(({ identity: { number, key } }, position) => {
      const [balance0, balance1] = answers.value.slice(position * 2)
      const amount0 = balanceOf(balance0, key.token0)
      const amount1 = balanceOf(balance1, key.token1)
      return { pool: number, source: 'balance', amount0, amount1, ts: at.ts }
    })
  }

  /** Null if the screener did not answer. */
  const readScreener = async (
    pools: readonly TrackedPool[],
  ): Promise<readonly StoredReserve[] | null> => {
    if (screener === null) return []
    const read = await screener.source.read(
      pools.map((pool) => pool.identity.id),
      clock.now(),
    )
    if (!read.ok) {
      await screener.report.failure(`${read.fault.kind}: ${read.fault.detail}`)
      return null
    }
    // A dead pool is simply missing at a screener: fewer rows than pools are no fault of it.
    await screener.report.success()
    const byId = new Map(read.value.map((row) => [row.poolId, row]))
    return pools.flatMap((pool) => {
      const row = byId.get(pool.identity.id)
      return row === undefined || row.reserves.length === 0 ? [] : [reserveOfScreener(pool, row)]
    })
  }

  const rowsOf = (source: StoredReserve['source']): readonly StoredReserve[] =>
    rows.filter((row) => row.source === source)

  const step = async (): Promise<StepResult> => {
    const at = index.indexed()
    if (at === null) return { waitMs: 1000 }
    const all = [...index.pools().all()]
    const lacking = all.filter(lacksReserves).slice(0, poolsMax)
    const v3 = lacking.filter((pool) => pool.identity.version === 'v3')
    const balances = v3.length === 0 ? [] : await readBalances(v3, at)
    // Without a lacking pool the screener is still asked for one, to know whether it would answer.
    const asked = lacking.length > 0 ? lacking : all.slice(0, 1)
    const screened = await readScreener(asked)
    const isLacking = new Set(lacking.map((pool) => pool.identity.number))
    const told = [...(balances ?? rowsOf('balance')), ...(screened ?? rowsOf('screener'))]
    const chosen = new Map<PoolNumber, StoredReserve>()
    for (const row of told) {
      if (isLacking.has(row.pool) && !chosen.has(row.pool)) chosen.set(row.pool, row)
    }
    rows = [...chosen.values()]
    return { waitMs: balances === null || screened === null ? faultWaitMs : readWaitMs }
  }

  return { step, rows: () => rows }
}
