import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { RawAmounts } from '../../domain/pool/pool-state.ts'
import {
  hasWrongMap,
  isReserveShort,
  principalOf,
  type TrackedPool,
  withReserveShort,
} from '../../domain/pool/tracked-pool.ts'
import type { PoolId } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { type PoolBalances, readPoolBalances } from '../read-pool-balances.ts'
import type { IndexState } from '../state/index-state.ts'
import { createPoolFindings, createRechecks } from './pool-findings.ts'

type Deps = {
  readonly chain: ChainReader
  readonly store: Pick<StoreWriter, 'replaceTickMap'>
  readonly index: Pick<IndexState, 'pools'>
  readonly logger: Logger
}

/** Pools whose states are of one block, and the set that they are of. */
export type PoolsAtBlock = {
  readonly pools: readonly TrackedPool[]
  readonly poolSet: PoolSet
  readonly at: BlockRef
}

/** Pools that hold less than their positions add up to (methodology §4). */
export type ShortPools = {
  /** Puts a pool ahead of the rotation until a check finds that it holds enough. */
  readonly recheck: (id: PoolId) => void
  /** Some of the pools that go ahead of the rotation, all of them in turns. */
  readonly nextRechecks: (poolsMax: number) => readonly TrackedPool[]
  /** Compares balances with maps. Changes nothing itself: realtime sync owns the pools. */
  readonly check: (checked: PoolsAtBlock) => Promise<void>
  /** Writes what the checks found. The index must not advance until then. */
  readonly writeFindings: () => Promise<void>
}

/** Whether the pool holds the tokens itself, and the map says how many of them. */
export const hasComparableBalances = ({ identity, state, tickMap }: TrackedPool): boolean =>
  getProtocol(identity.protocol).emitter === 'pool' &&
  state.price !== null &&
  tickMap.ticks.length > 0 &&
  !hasWrongMap(state)

/** Null if a token does not say, unless the other one proves it already. */
const isShortOf = (principal: RawAmounts, { amount0, amount1 }: PoolBalances): boolean | null => {
  if (amount0 !== null && amount0 < principal.amount0) return true
  if (amount1 !== null && amount1 < principal.amount1) return true
  return amount0 === null || amount1 === null ? null : false
}

export const createShortPools = ({ chain, store, index, logger }: Deps): ShortPools => {
  const suspects = createRechecks(index)
  const findings = createPoolFindings({ store, index })

  const judge = (pool: TrackedPool, isShort: boolean, poolSet: PoolSet): void => {
    const { id } = pool.identity
    if (isShort !== isReserveShort(pool)) {
      suspects.add(id)
      findings.byPool.set(id, {
        poolSet,
        change: (current) => withReserveShort(current, isShort),
        onWritten: () => {
          if (isShort) logger.warn('Pool holds less than its positions', { pool: id })
          else logger.info('Pool holds what its positions add up to again', { pool: id })
        },
      })
      return
    }
    findings.byPool.delete(id)
    if (!isShort) suspects.remove(id)
  }

  return {
    recheck: suspects.add,
    nextRechecks: suspects.next,
    check: async ({ pools, poolSet, at }) => {
      const comparable = pools.filter(hasComparableBalances)
      if (comparable.length === 0) return
      const identities = comparable.map(({ identity }) => identity)
      // By its hash: a node with another block of that number does not answer.
      const held = await readPoolBalances(chain, identities, at)
      if (!held.ok) {
        logger.warn('Failed to read pool balances', held.fault)
        return
      }
      for (const [position, pool] of comparable.entries()) {
        const balances = held.value[position] ?? null
        const isShort = balances && isShortOf(principalOf(pool), balances)
        if (isShort !== null) judge(pool, isShort, poolSet)
      }
    },
    writeFindings: findings.write,
  }
}
