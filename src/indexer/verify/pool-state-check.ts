import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { ContractState } from '../../domain/dex/protocol.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Address } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StepResult } from '../../util/loop.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { isCanonical } from '../reorg/common-ancestor.ts'
import type { SourceReport } from '../source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault } from '../sync-fault.ts'
import type { CheckedFees, FeeCheck } from './fee-check.ts'
import { hasComparableBalances, type ShortPools } from './short-pools.ts'

/** Three checks fit into the age limit of the source, so one lost response raises no alarm. */
const checkWaitMs = 8000
/** Delay while there is no pool to check. */
const emptyWaitMs = 500
/** Calls for the state, and two for the balances: any endpoint accepts a multicall of 200. */
const callsPerCheck = 200
/** Pools that are due again go first, but leave half of the calls to all others. */
const rechecksPerCheck = 25
/** Below this share of matching pools the source is `degraded` (docs/api.md). */
const agreedShareMin = 0.95

type Deps = {
  readonly chain: ChainReader
  readonly index: IndexState
  readonly report: SourceReport
  readonly logger: Logger
  /** The StateView of a v4 PoolManager; null if the network file has none. */
  readonly stateViewOf: (venue: Address) => Address | null
  readonly onAgreed: (pool: PoolNumber) => void
  readonly onMismatch: (pool: TrackedPool) => void
  readonly shortPools: Pick<ShortPools, 'nextRechecks' | 'check'>
  readonly feeCheck: Pick<FeeCheck, 'nextRechecks' | 'isNew' | 'record'>
}

const isAgreed = ({ state }: TrackedPool, contract: ContractState): boolean => {
  const { price, liquidity } = state
  if (price === null) return contract.sqrtPriceX96 === 0n
  return (
    price.sqrtPriceX96 === contract.sqrtPriceX96 &&
    price.tick === contract.tick &&
    liquidity === contract.liquidity
  )
}

/**
 * Compares price, tick and liquidity of pools with their contracts at the cursor's block, some
 * pools per step, all of them in rotation. Of those that match fees and balances are compared, too.
 */
export const createPoolStateChecker = (
  deps: Deps,
): { readonly step: () => Promise<StepResult> } => {
  const { chain, index, report, logger, stateViewOf, onAgreed, onMismatch } = deps
  const { shortPools, feeCheck } = deps
  let lastNumber = 0

  /** 0 for a pool without a contract to call. */
  const countStateCalls = ({ identity: { id, protocol, venue } }: TrackedPool): number =>
    getProtocol(protocol).stateCalls(id, stateViewOf(venue))?.length ?? 0

  const nextPools = (tracked: PoolSet): readonly TrackedPool[] => {
    const numberMax = tracked.nextNumber() - 1
    const pools = new Map<PoolNumber, TrackedPool>()
    let calls = 0
    const add = (pool: TrackedPool | undefined): void => {
      if (pool === undefined || pools.has(pool.identity.number)) return
      const ofState = countStateCalls(pool)
      if (ofState === 0) return
      pools.set(pool.identity.number, pool)
      calls += ofState + (hasComparableBalances(pool) ? 2 : 0)
    }
    const ofFees = feeCheck.nextRechecks(rechecksPerCheck)
    // Two of these take as many calls as one short pool.
    const ofBalances = shortPools.nextRechecks(rechecksPerCheck - Math.ceil(ofFees.length / 2))
    for (const pool of [...ofBalances, ...ofFees]) add(pool)
    for (let tried = 0; tried < numberMax && calls < callsPerCheck; tried++) {
      lastNumber = lastNumber >= numberMax ? 1 : lastNumber + 1
      add(tracked.byNumber(lastNumber))
    }
    return [...pools.values()]
  }

  const compare = (pools: readonly TrackedPool[], contracts: readonly (ContractState | null)[]) => {
    const agreed: CheckedFees[] = []
    const differing: TrackedPool[] = []
    for (const [position, pool] of pools.entries()) {
      const contract = contracts[position] ?? null
      if (contract === null) continue
      if (isAgreed(pool, contract)) agreed.push({ pool, contract })
      else differing.push(pool)
    }
    return { agreed, differing }
  }

  /** The calls name the block by number; after a reorg that is another block. */
  const isStillCanonical = async (cursor: BlockRef): Promise<boolean> => {
    const canonical = await isCanonical(chain, cursor)
    return canonical.ok && canonical.value
  }

  const step = async (): Promise<StepResult> => {
    const cursor = index.cursor()
    if (cursor === null) return { waitMs: emptyWaitMs }
    // Taken before the first await, so that the states are of the cursor's block.
    const poolSet = index.pools()
    const pools = nextPools(poolSet)
    const identities = pools.map(({ identity }) => identity)
    const states = await readPoolStates(identities, cursor.block, deps)
    if (!states.ok) {
      await report.failure(describeFault(states.fault))
      return { waitMs: checkWaitMs }
    }
    const { agreed, differing } = compare(pools, states.value)
    const isNews = differing.length > 0 || agreed.some(feeCheck.isNew)
    if (isNews && !(await isStillCanonical(cursor))) return { waitMs: checkWaitMs }
    for (const { pool } of agreed) onAgreed(pool.identity.number)
    feeCheck.record(agreed, { poolSet, block: cursor.block })
    for (const pool of differing) {
      logger.error('Pool state differs from its contract', { pool: pool.identity.id })
      onMismatch(pool)
    }
    const isComplete = agreed.length >= pools.length * agreedShareMin
    const warning = `${agreed.length} of ${pools.length} pools match their contracts`
    await report.success(isComplete ? null : warning)
    await shortPools.check({ pools: agreed.map(({ pool }) => pool), poolSet, at: cursor })
    return { waitMs: checkWaitMs }
  }

  return { step }
}
