import type { Hex } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredPool, StoredToken, VolumeSum } from '../../ports/store-rows.ts'
import { hex } from '../shared/codec.ts'
import { oneAhead, type PageRead, pagesOf } from '../shared/pages.ts'
import { poolForms, poolFromRow } from '../shared/pool-table.ts'
import { queries } from '../shared/queries.ts'
import type { SnapshotReads } from '../shared/snapshot.ts'
import {
  candles,
  quotes,
  referencePoints,
  reserves,
  sources,
  stocks,
  swaps,
} from '../shared/tables.ts'
import { tokens } from '../shared/token-table.ts'
import { hourlySums, volumeSums } from '../shared/volume-sums.ts'
import { readHeader } from './header.ts'
import { readAll, readFirst, type Session, type Shape } from './session.ts'
import type { Parameter } from './values.ts'

const pools = { forms: poolForms, fromRow: poolFromRow }

const addresses: Shape<`0x${string}`> = {
  forms: [hex.form],
  fromRow: ([address]) => hex.fromColumn(address),
}

/** As the driver binds them. */
const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

type Span = { readonly fromTs: number; readonly toTs: number }

/** Rows of a span of time and the last one before it. */
const readSpan = async <T>(
  session: Session,
  rows: { readonly of: Shape<T>; readonly within: string; readonly before: string },
  [key, { fromTs, toTs }]: readonly [readonly Parameter[], Span],
): Promise<{ readonly before: T | null; readonly rows: readonly T[] }> => ({
  before: await readFirst(session, rows.of, rows.before, [...key, fromTs]),
  rows: await readAll(session, rows.of, rows.within, [...key, fromTs, toTs]),
})

const candleSpans = { of: candles, within: queries.candles, before: queries.candleBefore }

const referenceSpans = {
  of: referencePoints,
  within: queries.references,
  before: queries.referenceBefore,
}

const readHourlyVolume =
  (session: Session): StoreSnapshot['hourlyVolume'] =>
  async ({ fromTs, toTs }) => {
    const hours = await readAll(session, hourlySums, queries.hourlyVolume, [fromTs, toTs])
    const exact = ({ pool }: VolumeSum) =>
      readFirst(session, volumeSums, queries.volumeOfPool, [pool, fromTs, toTs, fromTs])
    return Promise.all(hours.map(async ({ sum, isCut }) => (isCut && (await exact(sum))) || sum))
  }

export const poolPages =
  (session: Session): PageRead<StoredPool> =>
  (last, rowsMax) =>
    readAll(session, pools, queries.poolPage, [last?.number ?? -1, rowsMax])

export const tokenPages =
  (session: Session): PageRead<StoredToken> =>
  (last, rowsMax) =>
    readAll(session, tokens, queries.tokenPage, [bytesOf(last?.address ?? '0x'), rowsMax])

/** As long as it takes to take in one of these, a page is under way on a line of 20 ms. */
const snapshotPageRows = 1_000

export const readsOf = (session: Session): SnapshotReads => ({
  header: () => readHeader(session),
  // Each page is on its way while the one before is taken in.
  pools: () => oneAhead(pagesOf(snapshotPageRows, poolPages(session))),
  tokens: () => oneAhead(pagesOf(snapshotPageRows, tokenPages(session))),
  poolsChangedAfter: (revision) => readAll(session, pools, queries.poolsChangedAfter, [revision]),
  tokensChangedAfter: (revision) =>
    readAll(session, tokens, queries.tokensChangedAfter, [revision]),
  stocksChangedAfter: (revision) =>
    readAll(session, stocks, queries.stocksChangedAfter, [revision]),
  quotes: () => readAll(session, quotes, queries.quotes),
  reserves: () => readAll(session, reserves, queries.reserves),
  sources: () => readAll(session, sources, queries.sources),
  searched: () => readAll(session, addresses, queries.searched),
  volume: ({ afterTs, toTs, afterBlock }) =>
    readAll(session, volumeSums, queries.volume, [afterTs, toTs, afterBlock]),
  hourlyVolume: readHourlyVolume(session),
  candles: (query) => readSpan(session, candleSpans, [[query.pool, query.width], query]),
  swaps: ({ pool, fromTs, rowsMax }) =>
    readAll(session, swaps, queries.swaps, [pool, fromTs, fromTs, rowsMax]),
  references: (query) =>
    readSpan(session, referenceSpans, [[bytesOf(query.address), query.width], query]),
})
