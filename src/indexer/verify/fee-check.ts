import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { ContractState } from '../../domain/dex/protocol.ts'
import { feesAfterRead, hasUnloggedFee, isSameFees } from '../../domain/pool/pool-fees.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolState } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, withContractFees } from '../../domain/pool/tracked-pool.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { IndexState } from '../state/index-state.ts'
import { createPoolFindings, createRechecks } from './pool-findings.ts'

/** A pool and its contract's answer at the same block. */
export type CheckedFees = { readonly pool: TrackedPool; readonly contract: ContractState }

/** Keeps the fees of pools as their contracts have them (methodology §4). */
export type FeeCheck = {
  /** Puts a pool ahead of the rotation if its fees may differ from the kept ones at any time. */
  readonly recheck: (pool: TrackedPool) => void
  readonly nextRechecks: (poolsMax: number) => readonly TrackedPool[]
  /** Whether the contract has other fees than the index. */
  readonly isNew: (checked: CheckedFees) => boolean
  /** Keeps new fees for `writeFindings`. Changes nothing itself: realtime sync owns the pools. */
  readonly record: (
    checked: readonly CheckedFees[],
    of: { readonly poolSet: PoolSet; readonly block: BlockNumber },
  ) => void
  /** Writes what the checks found. The index must not advance until then. */
  readonly writeFindings: () => Promise<void>
}

/** Unknown fees are those of an older store or a replaced branch. */
const needsRechecks = ({ identity, state, tickMap }: TrackedPool): boolean =>
  getProtocol(identity.protocol).fee === 'state' &&
  tickMap.ticks.length > 0 &&
  (state.fees === null || hasUnloggedFee(identity))

/** Whether an event must have been missed. */
const isContradiction = (
  { identity, state: { fees } }: TrackedPool,
  read: PoolState['fees'],
): boolean => fees !== null && (!hasUnloggedFee(identity) || fees.protocolFee !== read?.protocolFee)

const isNew = ({ pool, contract: { fees } }: CheckedFees): boolean => {
  const of = { origin: pool.identity, block: pool.identity.createdBlock }
  return feesAfterRead(pool.state.fees, fees, of) !== pool.state.fees
}

export const createFeeCheck = (
  deps: Parameters<typeof createPoolFindings>[0] & {
    readonly index: Pick<IndexState, 'pools'>
    readonly logger: Logger
  },
): FeeCheck => {
  const { index, logger } = deps
  const findings = createPoolFindings(deps)
  const rechecks = createRechecks(index, needsRechecks)

  const recordOne = (
    { pool, contract }: CheckedFees,
    { poolSet, block }: { readonly poolSet: PoolSet; readonly block: BlockNumber },
  ): void => {
    const { id } = pool.identity
    const known = pool.state.fees
    const change = (current: TrackedPool): TrackedPool =>
      // An event after the read sets newer fees.
      current.state.fees?.block === known?.block && isSameFees(current.state.fees, known)
        ? withContractFees(current, contract, block)
        : current
    const onWritten = (): void => {
      const { fees } = withContractFees(pool, contract, block).state
      if (isContradiction(pool, fees)) {
        logger.error('Pool fees differ from their contract', { pool: id, known, read: fees })
      }
    }
    findings.byPool.set(id, { poolSet, change, onWritten })
  }

  return {
    recheck: (pool) => {
      if (needsRechecks(pool)) rechecks.add(pool.identity.id)
    },
    nextRechecks: rechecks.next,
    isNew,
    record: (checked, of) => {
      for (const each of checked) {
        if (isNew(each)) recordOne(each, of)
        else findings.byPool.delete(each.pool.identity.id)
      }
    },
    writeFindings: findings.write,
  }
}
