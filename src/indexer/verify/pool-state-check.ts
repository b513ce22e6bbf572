import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { ContractState } from '../../domain/dex/protocol.ts'
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

/** Three checks fit into the age limit of the source, so one lost response raises no alarm. */
const checkWaitMs = 8000
/** Delay while there is no pool to check. */
const emptyWaitMs = 500
/** Two calls per pool: any endpoint accepts a multicall of 200. */
const poolsPerCheck = 100
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
 * pools per step, all of them in rotation.
 */
export const createPoolStateChecker = (
  deps: Deps,
): { readonly step: () => Promise<StepResult> } => {
  const { chain, index, report, logger, stateViewOf, onAgreed, onMismatch } = deps
  let lastNumber = 0

  const nextPools = (): readonly TrackedPool[] => {
    const tracked = index.pools()
    const numberMax = tracked.nextNumber() - 1
    const pools: TrackedPool[] = []
    for (let tried = 0; tried < numberMax && pools.length < poolsPerCheck; tried++) {
      lastNumber = lastNumber >= numberMax ? 1 : lastNumber + 1
      const pool = tracked.byNumber(lastNumber)
      if (pool === undefined) continue
      const { id, version, venue } = pool.identity
      if (getProtocol(version).stateCalls(id, stateViewOf(venue)) !== null) pools.push(pool)
    }
    return pools
  }

  const compare = (pools: readonly TrackedPool[], contracts: readonly (ContractState | null)[]) => {
    const agreed: TrackedPool[] = []
    const differing: TrackedPool[] = []
    for (const [position, pool] of pools.entries()) {
      const contract = contracts[position] ?? null
      if (contract !== null) (isAgreed(pool, contract) ? agreed : differing).push(pool)
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
    const pools = nextPools()
    const identities = pools.map(({ identity }) => identity)
    const states = await readPoolStates(identities, cursor.block, deps)
    if (!states.ok) {
      await report.failure(describeFault(states.fault))
      return { waitMs: checkWaitMs }
    }
    const { agreed, differing } = compare(pools, states.value)
    if (differing.length > 0 && !(await isStillCanonical(cursor))) return { waitMs: checkWaitMs }
    for (const { identity } of agreed) onAgreed(identity.number)
    for (const pool of differing) {
      logger.error('Pool state differs from its contract', { pool: pool.identity.id })
      onMismatch(pool)
    }
    const isComplete = agreed.length >= pools.length * agreedShareMin
    const warning = `${agreed.length} of ${pools.length} pools match their contracts`
    await report.success(isComplete ? null : warning)
    return { waitMs: checkWaitMs }
  }

  return { step }
}
