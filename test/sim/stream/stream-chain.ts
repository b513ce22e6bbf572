import type { PoolIdentity } from '../../../src/domain/pool/pool-state.ts'
import type { StoredSwap } from '../../../src/domain/pool/stored-rows.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { RangeBatch } from '../../../src/ports/store-batches.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { hexOf, noon, stateOf } from '../../support/domain/sample-inputs.ts'
import { allTokens, poolOf, stocks, swapOf } from '../../support/market/sample-market.ts'
import { opened } from '../../support/store/benches.ts'

/* A chain that an indexer writes to a real store: it grows, is reorganised, and gets late pools. */

const seedPools = 3

const identityOf = (number: number, createdBlock = 1): PoolIdentity => {
  const { id, version, protocol, venue, key, createdTs } = poolOf(number)
  return { number, id, version, protocol, venue, key, createdBlock, createdTs }
}

export const poolIdOf = (number: number): string => identityOf(number).id

/** Blocks come two to a second, so that several share a time. */
const tsOf = (block: number): number => noon + Math.floor(block / 2)

const blockRef = (block: number, fork: number) => ({
  block,
  hash: hexOf(block * 4096 + fork, 32),
  ts: tsOf(block),
})

/** Swaps per block, oldest block first. */
type Blocks = readonly number[]

export const createStreamChain = async (
  store: Store = opened(createSqliteStore({ path: ':memory:' })),
) => {
  let cursor: ReturnType<typeof blockRef> | null = null
  let finalized: number | null = null
  let swaps: StoredSwap[] = []
  let pools = 0
  let fork = 0
  let epoch = 0
  const ancestors = new Set<number | null>()

  await store.claim({ chainId: 4663, network: 'sample', originHash: hexOf(1, 32) }, noon - 100)
  await store.recordTokens(allTokens)
  await store.recordStocks(stocks)

  const drawBlock = (block: number, count: number): readonly StoredSwap[] =>
    Array.from({ length: count }, (_, logIndex) =>
      swapOf(block, {
        ...{ pool: 1 + ((block + logIndex) % seedPools), logIndex, ts: tsOf(block) },
        txHash: hexOf(block * 4096 + fork, 32),
      }),
    )

  const batchOf = (from: number, blocks: Blocks, kept: readonly StoredSwap[] = []): RangeBatch => {
    const first = from + 1
    const created = blocks.flatMap((count, at) => drawBlock(first + at, count))
    // What both branches hold is the same transaction at the same place.
    const sameBlocks = new Set(kept.map(({ block }) => block))
    const own = [...kept, ...created.filter(({ block }) => !sameBlocks.has(block))]
    const to = blockRef(from + blocks.length, fork)
    const lastOf = (pool: number) => own.findLast((swap) => swap.pool === pool)
    const states = Array.from({ length: seedPools }, (_, at) => at + 1).flatMap((pool) => {
      const last = lastOf(pool)
      if (last === undefined) return []
      return [{ pool, state: stateOf({ lastSwapBlock: last.block, lastSwapTs: last.ts }) }]
    })
    return {
      ...{ expectedCursor: cursor?.block ?? null, to, head: blockRef(to.block + 20, fork) },
      progress: { phase: 'done', done: 1, total: 1 },
      blocks: own.map(({ block }) => blockRef(block, fork)),
      ...{ pools: [], states, ticks: [], swaps: own, liquidity: [], candles: [], references: [] },
    }
  }

  const extend = async (blocks: Blocks): Promise<void> => {
    const batch = batchOf(cursor?.block ?? 0, blocks)
    const isFirst = pools === 0
    const created = isFirst ? [1, 2, 3].map((number) => identityOf(number)) : []
    pools = Math.max(pools, seedPools)
    await store.commitRange({ ...batch, pools: created })
    cursor = batch.to
    swaps = [...swaps, ...batch.swaps]
  }

  /** Replaces the last blocks by others; `keeps` of the first of them hold the same swaps. */
  const reorganise = async (depth: number, blocks: Blocks, keeps: number): Promise<void> => {
    if (cursor === null) return
    // The pools of the seed are created in block 1.
    const block = Math.max(finalized ?? 1, cursor.block - depth, 1)
    const ancestor = blockRef(block, 0)
    fork += 1
    const isKept = (swap: StoredSwap) => swap.block > block && swap.block <= block + keeps
    const kept = swaps.filter((swap) => isKept(swap) && swap.block <= block + blocks.length)
    const branch = batchOf(block, blocks, kept)
    const below = swaps.filter((swap) => swap.block <= block)
    const restored = Array.from({ length: seedPools }, (_, at) => {
      const last = below.findLast(({ pool }) => pool === at + 1)
      const state = stateOf({ lastSwapBlock: last?.block ?? null, lastSwapTs: last?.ts ?? null })
      return { pool: at + 1, state, ticks: [], candles: [] }
    })
    const outcome = await store.replaceBranch({
      ...{ epoch, cursor, ancestor, restored, branch, repairs: 0 },
    })
    if (outcome !== 'committed') throw new Error(outcome)
    epoch += 1
    ancestors.add(block)
    cursor = branch.to
    swaps = [...below, ...branch.swaps]
  }

  /** A newly listed pool comes with its past swaps. */
  const addLatePool = async (): Promise<void> => {
    if (cursor === null || cursor.block < 3) return
    pools += 1
    const block = cursor.block - 1
    const late = swapOf(block, { pool: pools, logIndex: 9000 + pools, ts: tsOf(block) })
    const { blocks: _, ...rest } = batchOf(cursor.block - 1, [0])
    const state = stateOf({ lastSwapBlock: block, lastSwapTs: late.ts })
    await store.seedPools({
      ...{ ...rest, expectedCursor: cursor.block, at: cursor, backfillCursor: null, blocks: [] },
      pools: [identityOf(pools)],
      states: [{ pool: pools, state }],
      ...{ swaps: [late], searches: [] },
    })
    epoch += 1
    swaps = [...swaps, late]
  }

  const finalize = async (): Promise<void> => {
    if (cursor === null || cursor.block <= (finalized ?? 0) + 4) return
    const block = cursor.block - 3
    await store.advanceFinalized({
      ...{ expectedCursor: finalized, to: blockRef(block, fork), crossChecked: true },
    })
    finalized = block
  }

  return {
    store,
    extend,
    reorganise,
    addLatePool,
    finalize,
    ancestors,
    /** What is indexed now. */
    swaps: (): readonly StoredSwap[] => swaps,
  }
}

export type StreamChain = Awaited<ReturnType<typeof createStreamChain>>
