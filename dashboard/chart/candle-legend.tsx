import type { Candle } from '../../src/client/types.ts'
import { formatInteger, formatPrice, formatUsd, formatUsdPrice } from '../format/number.ts'
import { formatTs } from '../format/time.ts'
import type { CandleUnit } from './candle-list.ts'

export const priceFormats: Readonly<Record<CandleUnit, (price: number | null) => string>> = {
  usd: formatUsdPrice,
  stock: formatPrice,
}

type LegendProps = { readonly candle: Candle | undefined; readonly unit: CandleUnit }

const prices = ['open', 'high', 'low', 'close'] as const
const names = { open: 'Open', high: 'High', low: 'Low', close: 'Close' } as const

/** The numbers of one candle. */
export const CandleLegend = ({ candle, unit }: LegendProps) => {
  const format = priceFormats[unit]
  const isFalling = (candle?.close ?? 0) < (candle?.open ?? 0)
  return (
    <p class="legend candle-legend" aria-live="off">
      <span class="mute">{candle === undefined ? '' : formatTs(candle.ts)}</span>
      {prices.map((name) => (
        <span key={name} class={isFalling ? 'falls' : 'rises'}>
          {names[name]} <b>{format(candle?.[name] ?? null)}</b>
        </span>
      ))}
      <span class="of-volume">
        Volume <b>{formatUsd(candle?.volumeUsd ?? null)}</b>
      </span>
      <span>
        Swaps <b>{formatInteger(candle?.swaps ?? null)}</b>
      </span>
    </p>
  )
}

/** The same for the ear. */
export const spokenOf = (candle: Candle | undefined, unit: CandleUnit): string => {
  if (candle === undefined) return 'No candle.'
  const format = priceFormats[unit]
  const said = prices.map((name) => `${name} ${format(candle[name])}`).join(', ')
  const volume = `volume ${formatUsd(candle.volumeUsd)}, ${formatInteger(candle.swaps)} swaps`
  return `${formatTs(candle.ts)}: ${said}, ${volume}${candle.closed ? '' : ', still open'}.`
}
