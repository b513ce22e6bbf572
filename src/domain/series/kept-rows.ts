import type { CandleWidth } from '../pool/stored-rows.ts'
import { secondsPerDay, secondsPerHour } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import type { IndexGap, StoredRows, Timed } from './fill-buckets.ts'
import { bucketStart, type SeriesPlan } from './series-range.ts'

export type WideRow = Timed & { readonly width: CandleWidth }

/** Rows of one width, oldest first, and the last one before them. */
export type Layer<Row> = { readonly rows: readonly Row[]; readonly before: Row | null }

/** The stored rows of a series in all widths from the plan's own on. */
export type KeptRows<Row> = {
  /** From the start of the hour with the plan's first bucket; null in a plan of wider candles. */
  readonly minutes: Layer<Row> | null
  /** From the start of the day with the plan's first bucket. */
  readonly hours: Layer<Row> | null
  readonly days: Layer<Row>
  /** What adds up from finer rows to wider ones: swaps; nothing in reference prices, so 0. */
  readonly countOf: (row: Row) => number
}

/** Rows by the start of the wider bucket that they lie in. */
const within = <Row extends Timed>(rows: readonly Row[], seconds: number) =>
  Map.groupBy(rows, ({ ts }) => bucketStart(ts, seconds))

const noRows: readonly never[] = []

/** Whether the finer rows are all that a wider one was made of. */
const isWhole = <Row>(wide: Row, finer: readonly Row[], countOf: (row: Row) => number): boolean =>
  finer.length > 0 && finer.reduce((sum, row) => sum + countOf(row), 0) === countOf(wide)

/**
 * The end of the last hour with minutes that retention deleted, in part or all of them; null if
 * none is missing.
 */
export const lostMinutesUntil = <Row extends Timed>({
  minutes,
  hours,
  countOf,
}: KeptRows<Row>): UnixSeconds | null => {
  if (minutes === null || hours === null) return null
  const byHour = within(minutes.rows, secondsPerHour)
  const lost = hours.rows.findLast((hour) => !isWhole(hour, byHour.get(hour.ts) ?? noRows, countOf))
  return lost === undefined ? null : lost.ts + secondsPerHour
}

/** The finest rows that say what happened in whole hours: the hour's own, else its minutes. */
const hourlyRows = <Row extends Timed>({ minutes, hours }: KeptRows<Row>): readonly Row[] => {
  const own = new Set(hours?.rows.map(({ ts }) => ts))
  const others = minutes?.rows.filter(({ ts }) => !own.has(bucketStart(ts, secondsPerHour))) ?? []
  return [...(hours?.rows ?? []), ...others].sort((one, other) => one.ts - other.ts)
}

/** Hours without a row in days whose hours do not add up to them: nothing of these is kept. */
const lostHours = <Row extends Timed>(kept: KeptRows<Row>): readonly IndexGap[] => {
  if (kept.hours === null) return []
  const byDay = within(hourlyRows(kept), secondsPerDay)
  const present = new Set(kept.hours.rows.map(({ ts }) => ts))
  return kept.days.rows.flatMap((day) => {
    if (isWhole(day, byDay.get(day.ts) ?? noRows, kept.countOf)) return []
    const gaps: IndexGap[] = []
    for (let ts = day.ts; ts < day.ts + secondsPerDay; ts += secondsPerHour) {
      if (!present.has(ts)) gaps.push({ fromTs: ts, toTs: ts + secondsPerHour })
    }
    return gaps
  })
}

/** The row that ends last, which is the state at `ts`. */
const lastBefore = <Row extends WideRow>(kept: KeptRows<Row>, ts: UnixSeconds): Row | null => {
  let last: Row | null = null
  for (const layer of [kept.days, kept.hours, kept.minutes]) {
    const found = layer?.rows.findLast((row) => row.ts + row.width <= ts) ?? layer?.before ?? null
    if (found !== null && (last === null || found.ts + found.width >= last.ts + last.width)) {
      last = found
    }
  }
  return last
}

/** The rows of a plan's buckets: minutes where all are kept, whole hours before. */
export const toStoredRows = <Row extends WideRow>(
  kept: KeptRows<Row>,
  plan: SeriesPlan,
  gaps: readonly IndexGap[],
): StoredRows<Row> => {
  const { fromTs, candleWidth, hourlyUntilTs } = plan
  const own =
    candleWidth === secondsPerDay
      ? kept.days.rows
      : candleWidth === secondsPerHour || kept.minutes === null
        ? hourlyRows(kept)
        : [
            ...hourlyRows(kept).filter(({ ts }) => ts < hourlyUntilTs),
            ...kept.minutes.rows.filter(({ ts }) => ts >= hourlyUntilTs),
          ]
  return {
    rows: own.filter(({ ts }) => ts >= fromTs),
    before: lastBefore(kept, fromTs),
    gaps: [...gaps, ...lostHours(kept)],
  }
}
