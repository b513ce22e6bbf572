import type { Candle } from '../../../src/domain/pool/stored-rows.ts'
import type { KeptHours } from '../../../src/ports/store-history.ts'

const hour = 3600
const sumOf = (candles: readonly Candle[]) => candles.reduce((sum, { swaps }) => sum + swaps, 0)

/** What the candles of a pool with swaps, oldest first or not, show up to a time. */
export const keptHoursOf = (candles: readonly Candle[], toTs: number): KeptHours => {
  const known = candles.filter(({ ts }) => ts <= toTs).toSorted((a, b) => a.ts - b.ts)
  const minutes = known.filter(({ width }) => width === 60)
  const first = minutes[0] === undefined ? null : minutes[0].ts - (minutes[0].ts % hour)
  const hours = known.filter(({ width, ts }) => width === hour && ts <= (first ?? toTs))
  const counted = (candle: Candle | undefined) =>
    candle === undefined ? null : { ts: candle.ts, swaps: candle.swaps }
  const swaps = sumOf(minutes.filter(({ ts }) => first !== null && ts < first + hour))
  return {
    minutes: first === null ? null : { ts: first, swaps },
    last: counted(hours.at(-1)),
    before: counted(hours.at(-2)),
  }
}
