import { useState } from 'preact/hooks'
import type { Depth, Pool } from '../../src/client/types.ts'
import { formatCompact, formatPrice, formatUsd } from '../format/number.ts'
import { Choice } from '../parts/choice.tsx'
import { LiquidityPlot } from './plot.tsx'
import { clipTo, fitZoom, listAreas, type Segment, spanOf, type Zoom, zooms } from './shape.ts'

type Profile = NonNullable<Depth['depth']>

type ZoomsProps = { readonly zoom: Zoom; readonly onChoose: (zoom: Zoom) => void }

const Zooms = ({ zoom, onChoose }: ZoomsProps) => (
  <Choice
    legend="Prices in sight"
    name="zoom"
    choices={zooms.map(({ name }) => name)}
    chosen={zoom.name}
    onChoose={(name) => onChoose(zooms.find((each) => each.name === name) ?? zoom)}
  />
)

/** Ticks end at prices that are no prices any more. */
const priceMin = 1e-18
const priceMax = 1e18

const endText = (price: number): string => {
  if (price < priceMin) return '0'
  return price > priceMax ? '∞' : formatPrice(price)
}

const rangeText = ({ priceLower, priceUpper }: Segment): string =>
  `${endText(priceLower)} – ${endText(priceUpper)}`

type ReadoutProps = {
  readonly pool: Pool
  readonly segment: Segment | undefined
  readonly mid: number
}

/** What the segment under the pointer holds, otherwise the price and what the colours mean. */
const Readout = ({ pool, segment, mid }: ReadoutProps) => {
  const other = <bdi class="other-name">{pool.otherSymbol ?? 'other token'}</bdi>
  if (segment === undefined) {
    return (
      <p class="legend" aria-live="off">
        <span class="of-mid">
          Price <b>{formatPrice(mid)}</b> {other}
        </span>
        <span class="of-other">{other} below the price</span>
        <span class="of-stock">{pool.stockSymbol} above it</span>
      </p>
    )
  }
  return (
    <p class="legend" aria-live="off">
      <span class="of-mid">
        <b>{rangeText(segment)}</b> {other}
      </span>
      <span class="of-other">
        {other} <b>{formatCompact(segment.otherAmount)}</b>
      </span>
      <span class="of-stock">
        {pool.stockSymbol} <b>{formatCompact(segment.stockAmount)}</b>
      </span>
      <span>
        Worth <b>{formatUsd(segment.usd)}</b>
      </span>
    </p>
  )
}

const spokenOf = (segment: Segment | undefined, pool: Pool): string => {
  if (segment === undefined) return 'No segment is chosen.'
  const { otherAmount, stockAmount, usd } = segment
  const other = pool.otherSymbol ?? 'other token'
  return (
    `From ${rangeText(segment)} ${other}: ${formatCompact(otherAmount)} ${other} and ` +
    `${formatCompact(stockAmount)} ${pool.stockSymbol}, worth ${formatUsd(usd)}.`
  )
}

/** Of the bands of the API, the one that the row's depth uses. */
const bandBps = 200

const summaryOf = ({ bands }: Profile, pool: Pool): string => {
  const band = bands.find(({ bps }) => bps === bandBps)
  if (band === undefined) return ''
  const side = ({ stockAmount, usd }: typeof band.buy) =>
    `${formatCompact(stockAmount)} ${pool.stockSymbol} (${formatUsd(usd)})`
  return (
    `Buying ${side(band.buy)} raises the price by 2 %, ` +
    `selling ${side(band.sell)} lowers it by 2 %, fees excluded.`
  )
}

type ChartProps = { readonly profile: Profile; readonly mid: number; readonly pool: Pool }

export const LiquidityChart = ({ profile, mid, pool }: ChartProps) => {
  const [chosen, setChosen] = useState<Zoom | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const { segments } = profile
  const { stockPriceUsd: stockUsd, otherPriceUsd: otherUsd } = pool
  if (stockUsd === null || otherUsd === null) {
    return <p class="nothing">A token has no dollar price, so the liquidity has no dollars.</p>
  }
  const areas = listAreas(segments, { mid, stockUsd, otherUsd })
  const zoom = chosen ?? fitZoom(areas, mid)
  const span = spanOf(zoom, mid)
  const shown = clipTo(areas, span)
  const segment = at === null ? undefined : segments[at]
  return (
    <>
      <div class="liquidity-head">
        <Readout pool={pool} segment={segment} mid={mid} />
        <Zooms zoom={zoom} onChoose={setChosen} />
      </div>
      {shown.length === 0 ? (
        <p class="nothing">No liquidity lies within these prices.</p>
      ) : (
        <LiquidityPlot
          areas={shown}
          span={span}
          mid={mid}
          at={at}
          label={`Liquidity of ${pool.stockSymbol} by price`}
          spoken={spokenOf(segment, pool)}
          onRead={setAt}
        />
      )}
      <p class="small">
        The height is the dollars that a move of 1 % meets. {summaryOf(profile, pool)}
      </p>
    </>
  )
}
