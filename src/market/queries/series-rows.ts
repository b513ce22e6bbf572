import { type CandleWidth, candleWidths } from '../../domain/pool/stored-rows.ts'
import type { IndexGap, StoredRows, Timed } from '../../domain/series/fill-buckets.ts'
import { bucketStart, type SeriesPlan } from '../../domain/series/series-range.ts'
import type { UnixSeconds } from '../../domain/units.ts'

type Span = {
  readonly width: CandleWidth
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
}
type Stored<Row> = { readonly before: Row | null; readonly rows: readonly Row[] }

/** The rows of a plan's span. */
const spanOf = ({ candleWidth, fromTs, lastTs, bucketSeconds }: SeriesPlan): Span => ({
  width: candleWidth,
  fromTs,
  toTs: lastTs + bucketSeconds - 1,
})

/**
 * Stored rows for a series. Where nothing of the plan's own width stands before it, minutes may
 * have been pruned while hours and days are kept for good: the last wider row tells the same,
 * unless the first own row lies within it and so tells what came later.
 */
export const readStoredRows = async <Row extends Timed>(
  plan: SeriesPlan,
  read: (span: Span) => Promise<Stored<Row>>,
  gaps: readonly IndexGap[] = [],
): Promise<StoredRows<Row>> => {
  const { before, rows } = await read(spanOf(plan))
  if (before !== null) return { before, rows, gaps }
  const firstTs = rows[0]?.ts ?? Number.POSITIVE_INFINITY
  for (const width of candleWidths.filter((each) => each > plan.candleWidth)) {
    const startTs = bucketStart(plan.fromTs, width)
    const fromTs = firstTs < startTs + width ? startTs : startTs + width
    const wider = await read({ width, fromTs, toTs: fromTs - 1 })
    if (wider.before !== null) return { before: wider.before, rows, gaps }
  }
  return { before: null, rows, gaps }
}
