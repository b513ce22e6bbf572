import { usdMicroMax } from '../../domain/pool/stored-rows.ts'

/** What an insertion does where the key is there already; as `mergeCandles` of the domain does. */

/** The stored half is the earlier one; a half without a swap has no say but for the reserves. */
export const candleUpsert = `
  ON CONFLICT (pool, width, ts) DO UPDATE SET
    open = CASE WHEN candles.swaps = 0 AND excluded.swaps > 0
      THEN excluded.open ELSE candles.open END,
    high = CASE WHEN excluded.swaps = 0 THEN candles.high
      WHEN candles.swaps = 0 OR excluded.high > candles.high
      THEN excluded.high ELSE candles.high END,
    low = CASE WHEN excluded.swaps = 0 THEN candles.low
      WHEN candles.swaps = 0 OR excluded.low < candles.low
      THEN excluded.low ELSE candles.low END,
    close = excluded.close,
    usd_micro = CASE WHEN candles.usd_micro + excluded.usd_micro > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.usd_micro + excluded.usd_micro END,
    swaps = candles.swaps + excluded.swaps,
    unpriced = candles.unpriced + excluded.unpriced,
    estimated = candles.estimated + excluded.estimated,
    reserve0 = excluded.reserve0,
    reserve1 = excluded.reserve1`

/** The stored half is the later one: the same as `candleMerge` with the halves changed round. */
export const earlierCandleUpsert = `
  ON CONFLICT (pool, width, ts) DO UPDATE SET
    open = CASE WHEN excluded.swaps = 0 AND candles.swaps > 0
      THEN candles.open ELSE excluded.open END,
    high = CASE WHEN candles.swaps = 0 THEN excluded.high
      WHEN excluded.swaps = 0 OR candles.high > excluded.high
      THEN candles.high ELSE excluded.high END,
    low = CASE WHEN candles.swaps = 0 THEN excluded.low
      WHEN excluded.swaps = 0 OR candles.low < excluded.low
      THEN candles.low ELSE excluded.low END,
    usd_micro = CASE WHEN candles.usd_micro + excluded.usd_micro > ${usdMicroMax}
      THEN ${usdMicroMax} ELSE candles.usd_micro + excluded.usd_micro END,
    swaps = candles.swaps + excluded.swaps,
    unpriced = candles.unpriced + excluded.unpriced,
    estimated = candles.estimated + excluded.estimated`

/** A source of a higher rank is not replaced, and what would stay as it is counts as no change. */
export const referenceUpsert = `
  ON CONFLICT (address, width, ts) DO UPDATE SET
    usd = excluded.usd, source = excluded.source, rank = excluded.rank
  WHERE excluded.rank >= reference_points.rank AND
    (excluded.usd <> reference_points.usd OR excluded.source <> reference_points.source)`
