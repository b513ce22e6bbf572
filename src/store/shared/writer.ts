import { blocksKeptSinceTs } from '../../domain/chain/kept-blocks.ts'
import { candleWidths } from '../../domain/pool/stored-rows.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type {
  BootstrapBatch,
  BranchReplacement,
  IndexHeader,
  PoolSeedBatch,
  RangeBatch,
} from '../../ports/store-batches.ts'
import { removalQueries } from './queries.ts'
import { readBootstrapRow } from './reads.ts'
import type { Eventual } from './session.ts'
import { columnList } from './table.ts'
import { blocks } from './tables.ts'
import type { Transaction, WriteConnection } from './transaction.ts'
import {
  chainTables,
  mayBeCommitted,
  type Plan,
  planBackfill,
  planBootstrap,
  planBranchReplacement,
  planFinality,
  planRange,
  planReset,
  planSeed,
} from './write-plans.ts'

/** Throws if the store is not claimed. */
export const readClaimedHeader = async (tx: Transaction): Promise<IndexHeader> => {
  const header = await tx.header()
  if (header === null) throw new Error('store: claim() must come before any other write')
  return header
}

/** Writes the rows and the header of an accepted plan, and nothing otherwise. */
const writePlanned = <Answer>(
  { write }: WriteConnection,
  plan: (stored: IndexHeader, tx: Transaction) => Eventual<Plan<Answer>>,
  writeRows?: (tx: Transaction, revision: number, header: IndexHeader) => Promise<unknown>,
): Promise<Answer> =>
  write(async (tx) => {
    const { answer, header } = await plan(await readClaimedHeader(tx), tx)
    if (header !== null) {
      await writeRows?.(tx, header.revision, header)
      await tx.saveHeader(header)
    }
    return answer
  })

/** Keeps the order of each list, which is the chain's. */
const writeEvents = async (
  { rows }: Transaction,
  events: Omit<RangeBatch, 'expectedCursor' | 'to' | 'head' | 'backfill' | 'references'>,
  revision: number,
): Promise<void> => {
  await rows.blocks(events.blocks)
  await rows.pools(events.pools, revision)
  await rows.states(events.states, revision)
  await rows.ticks(events.ticks)
  await rows.swaps(events.swaps)
  await rows.liquidity(events.liquidity)
  await rows.candles(events.candles)
}

const writeRange = async (tx: Transaction, batch: RangeBatch, revision: number): Promise<void> => {
  await writeEvents(tx, { ...batch, blocks: [...batch.blocks, batch.to] }, revision)
  await tx.rows.references(batch.references)
}

const clear = async (tx: Transaction, tables: readonly string[]): Promise<void> => {
  for (const name of tables) await tx.run(`DELETE FROM ${name}`)
}

const writeSeed = async (
  tx: Transaction,
  batch: PoolSeedBatch,
  revision: number,
): Promise<void> => {
  await writeEvents(tx, { ...batch, blocks: [...batch.blocks, batch.at] }, revision)
  await tx.rows.earlierReferences(batch.references)
  await tx.rows.searches(batch.searches)
  await clear(tx, ['first_reading', 'first_maps'])
}

const writeBootstrap = async (
  { rows }: Transaction,
  batch: BootstrapBatch,
  revision: number,
): Promise<void> => {
  const { expectedSteps, to, discoveredTo } = batch
  const row = {
    steps: expectedSteps + 1,
    toBlock: to.block,
    toHash: to.hash,
    toTs: to.ts,
    foundTo: discoveredTo,
  }
  await rows.bootstrap([row])
  await rows.searches(batch.searches)
  await rows.pools(batch.pools, revision)
  await rows.states(batch.states, revision)
  await rows.ticks(batch.ticks)
  await rows.tickMapCursors(batch.tickMapCursors)
}

/** Pools last: the other deletions select by them. */
const removalsByBlock = [
  removalQueries.liquidity,
  removalQueries.blocks,
  removalQueries.createdTicks,
  removalQueries.createdCandles,
  removalQueries.createdReserves,
  removalQueries.pools,
]

const removeBranch = async (
  tx: Transaction,
  { ancestor, restored }: BranchReplacement,
): Promise<void> => {
  const { block, ts } = ancestor ?? { block: -1, ts: 0 }
  await tx.run(removalQueries.swaps, [ts, block])
  for (const sql of removalsByBlock) await tx.run(sql, [block])
  const pools = restored.map(({ pool }) => pool)
  for (const width of candleWidths) await tx.rows.removeCandles(pools, width, ts - (ts % width))
  await tx.rows.removeTicks(pools)
}

/** So many replacements stay for readers that come back: of a common chain, those of a year. */
const replacementsMax = 10_000

const writeReplacement = async (
  tx: Transaction,
  replacement: BranchReplacement,
  revision: number,
): Promise<void> => {
  const { ancestor, restored, branch } = replacement
  const epoch = replacement.epoch + 1
  await removeBranch(tx, replacement)
  await tx.rows.replacements([{ epoch, ancestor }])
  await tx.run(removalQueries.replacements, [epoch - replacementsMax])
  await tx.rows.states(restored, revision)
  await tx.rows.ticks(restored.flatMap(({ ticks }) => ticks))
  await tx.rows.candles(restored.flatMap(({ candles }) => candles))
  await writeRange(tx, branch, revision)
}

const blockQuery = `SELECT ${columnList(blocks)} FROM blocks WHERE block = ?`

/** Writes the chain's events, each batch exactly once. */
export const createBatchWrites = (
  connection: WriteConnection,
): Pick<
  StoreWriter,
  | 'commitRange'
  | 'commitBootstrap'
  | 'resetIndex'
  | 'seedPools'
  | 'commitBackfill'
  | 'replaceBranch'
  | 'advanceFinalized'
> => ({
  commitRange: (batch) =>
    writePlanned(
      connection,
      async (stored, tx) => {
        const isOld = mayBeCommitted(batch, stored)
        const block = isOld ? await tx.first(blocks, blockQuery, [batch.to.block]) : null
        return planRange(batch, stored, block?.hash ?? null)
      },
      (tx, revision) => writeRange(tx, batch, revision),
    ),
  commitBootstrap: (batch) =>
    writePlanned(
      connection,
      async (stored, tx) => planBootstrap(batch, stored, (await readBootstrapRow(tx))?.steps ?? 0),
      (tx, revision) => writeBootstrap(tx, batch, revision),
    ),
  resetIndex: (cursor) =>
    writePlanned(
      connection,
      (stored) => planReset(cursor, stored),
      (tx) => clear(tx, chainTables),
    ),
  seedPools: (batch) =>
    writePlanned(
      connection,
      async (stored, tx) => planSeed(batch, stored, await readBootstrapRow(tx)),
      (tx, revision) => writeSeed(tx, batch, revision),
    ),
  commitBackfill: (batch) =>
    writePlanned(
      connection,
      (stored) => planBackfill(batch, stored),
      async ({ rows }, revision, header) => {
        const sinceTs = blocksKeptSinceTs(header.finalizedCursor)
        await rows.blocks(batch.blocks.filter(({ ts }) => ts >= sinceTs))
        await rows.swaps(batch.swaps)
        await rows.liquidity(batch.liquidity)
        await rows.earlierCandles(batch.candles)
        await rows.earlierReferences(batch.references)
        await rows.lastSwaps(batch.lastSwaps, revision)
      },
    ),
  replaceBranch: (replacement) =>
    writePlanned(
      connection,
      (stored) => planBranchReplacement(replacement, stored),
      (tx, revision) => writeReplacement(tx, replacement, revision),
    ),
  advanceFinalized: (update) => writePlanned(connection, (stored) => planFinality(update, stored)),
})
