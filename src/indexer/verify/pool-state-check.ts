import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { ContractState } from '../../domain/dex/protocol.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Address } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StepResult } from '../../util/loop.ts'
import type { SourceReport } from '../enrich/source-report.ts'
import { readPoolStates } from '../read-pool-states.ts'
import { isCanonical } from '../realtime/common-ancestor.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault } from '../sync-fault.ts'

/** Three checks fit into the age limit of the source, so that one lost answer is no alarm. */
const checkWaitMs = 8000
/** Until there is something to check. */
const emptyWaitMs = 500
/** Two calls per pool: one multicall of 200 is small for any node. */
const poolsPerCheck = 100
/** Fewer than this share of the pools make the source `degraded` (docs/api.md). */
const agreedShareMin = 0.95

type Deps = {
  readonly chain: ChainReader
  readonly index: IndexState
  readonly report: SourceReport
  readonly logger: Logger
  /** The StateView that belongs to a v4 PoolManager; null where the network names none. */
  readonly stateViewOf: (venue: Address) => Address | null
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
 * Holds the index against the contracts: some pools at a time, all of them in turn, price, tick
 * and liquidity must be what the chain says at the same block.
 */
export const createStateChecker = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { chain, index, report, logger, stateViewOf, onMismatch } = deps
  let lastNumber = 0

  const nextPools = (): readonly TrackedPool[] => {
    const book = index.pools()
    const numberMax = book.nextNumber() - 1
    const pools: TrackedPool[] = []
    for (let tried = 0; tried < numberMax && pools.length < poolsPerCheck; tried++) {
      lastNumber = lastNumber >= numberMax ? 1 : lastNumber + 1
      const pool = book.byNumber(lastNumber)
      const canBeAsked =
        pool &&
        getProtocol(pool.identity.version).stateCalls(
          pool.identity.id,
          stateViewOf(pool.identity.venue),
        )
      if (canBeAsked) pools.push(pool)
    }
    return pools
  }

  const compare = (pools: readonly TrackedPool[], contracts: readonly (ContractState | null)[]) => {
    let agreed = 0
    const differing: TrackedPool[] = []
    for (const [position, pool] of pools.entries()) {
      const contract = contracts[position] ?? null
      if (contract !== null && isAgreed(pool, contract)) agreed += 1
      else if (contract !== null) differing.push(pool)
    }
    return { agreed, differing }
  }

  /** The contracts were asked by a number, which after a reorganisation names another block. */
  const isStillThere = async (at: BlockRef): Promise<boolean> => {
    const canonical = await isCanonical(chain, at)
    return canonical.ok && canonical.value
  }

  const step = async (): Promise<StepResult> => {
    const at = index.cursor()
    if (at === null) return { waitMs: emptyWaitMs }
    // The pools' states are taken before the first wait: they are those of this very block.
    const asked = nextPools()
    const identities = asked.map(({ identity }) => identity)
    const answers = await readPoolStates(identities, at.block, deps)
    if (!answers.ok) {
      await report.failure(describeFault(answers.fault))
      return { waitMs: checkWaitMs }
    }
    const { agreed, differing } = compare(asked, answers.value)
    if (differing.length > 0 && !(await isStillThere(at))) return { waitMs: checkWaitMs }
    for (const pool of differing) {
      logger.error('A pool differs from its contract', { pool: pool.identity.id })
      onMismatch(pool)
    }
    const isComplete = agreed >= asked.length * agreedShareMin
    await report.success(isComplete ? null : `${agreed} of ${asked.length} pools are confirmed`)
    return { waitMs: checkWaitMs }
  }

  return { step }
}
