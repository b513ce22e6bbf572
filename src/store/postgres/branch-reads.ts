import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredTick } from '../../domain/pool/stored-events.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { integer } from '../shared/codec.ts'
import { type PageRead, pagesOf, rowsOf } from '../shared/pages.ts'
import { poolIdentities } from '../shared/pool-table.ts'
import { branchQueries, liquidityAfterQuery, queries } from '../shared/queries.ts'
import { blocks, liquidityChanges, swaps, ticks } from '../shared/tables.ts'
import { readReading } from './past.ts'
import { poolPages, tokenPages } from './reads.ts'
import { readAll, readFirst, type Session, type Shape } from './session.ts'
import type { Writing } from './writing.ts'

/** One answer: a megabyte or two, and not too many times the way there and back. */
const pageRows = 2_000

const numbers: Shape<PoolNumber> = {
  forms: [integer.form],
  fromRow: ([pool]) => integer.fromColumn(pool),
}

const readAnchor = (session: Session, block: number) =>
  readFirst(session, blocks, branchQueries.anchor, [block])

const readEvents = async (
  session: Session,
  { from, to }: Parameters<StoreWriter['readEvents']>[0],
) => {
  const fromTs = (await readAnchor(session, from))?.ts ?? 0
  const after = await readFirst(session, blocks, branchQueries.anchorFrom, [to])
  const toTs = after?.ts ?? Number.MAX_SAFE_INTEGER
  return {
    blocks: await readAll(session, blocks, branchQueries.blocks, [from, to]),
    pools: await readAll(session, poolIdentities, branchQueries.pools, [from, to]),
    swaps: await readAll(session, swaps, branchQueries.swaps, [fromTs, toTs, from, to]),
    liquidity: await readAll(session, liquidityChanges, branchQueries.liquidity, [from, to]),
  }
}

const readTouched = async (
  session: Session,
  ancestor: Parameters<StoreWriter['readTouched']>[0],
) => {
  const fromTs = ancestor === null ? 0 : ancestor.ts - (ancestor.ts % secondsPerMinute)
  const block = ancestor?.block ?? -1
  const range = [block + 1, Number.MAX_SAFE_INTEGER]
  const created = await readAll(session, poolIdentities, branchQueries.pools, range)
  const touched = [
    ...(await readAll(session, numbers, branchQueries.touchedCandles, [fromTs])),
    ...(await readAll(session, numbers, branchQueries.touchedLiquidity, [block])),
  ]
  return [...new Set([...touched, ...created.map(({ number }) => number)])]
}

const tickPages =
  (session: Session): PageRead<StoredTick> =>
  (last, rowsMax) =>
    readAll(session, ticks, queries.tickPage, [last?.pool ?? -1, last?.tick ?? 0, rowsMax])

const inTurn =
  <Row>(read: Writing['read'], pages: (session: Session) => PageRead<Row>): PageRead<Row> =>
  (last, rowsMax) =>
    read((session) => pages(session)(last, rowsMax))

const createPageReads = ({
  read,
}: Writing): Pick<StoreWriter, 'readTokens' | 'readPools' | 'readTicks'> => ({
  readTokens: () => rowsOf(pagesOf(pageRows, inTurn(read, tokenPages))),
  readPools: () => rowsOf(pagesOf(pageRows, inTurn(read, poolPages))),
  readTicks: () => rowsOf(pagesOf(pageRows, inTurn(read, tickPages))),
})

export type WriterReads = Pick<
  StoreWriter,
  | 'readTokens'
  | 'readPools'
  | 'readTicks'
  | 'readReading'
  | 'readLiquidityAfter'
  | 'readAnchor'
  | 'readEvents'
  | 'readTouched'
  | 'readPast'
>

/** What the writer asks for, in its turn. */
export const createWriterReads = (writing: Writing): WriterReads => {
  const { read } = writing
  return {
    ...createPageReads(writing),
    readReading: () => read(readReading),
    readLiquidityAfter: (block) =>
      read((session) => readAll(session, liquidityChanges, liquidityAfterQuery, [block])),
    readAnchor: (block) => read((session) => readAnchor(session, block)),
    readEvents: (range) => read((session) => readEvents(session, range)),
    readTouched: (ancestor) => read((session) => readTouched(session, ancestor)),
    readPast: (pool, block) =>
      read(async (session) => ({
        lastSwap: await readFirst(session, swaps, branchQueries.lastSwap, [pool, block]),
        changes: await readAll(session, liquidityChanges, branchQueries.changes, [pool]),
      })),
  }
}
