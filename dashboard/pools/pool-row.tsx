import { useRef } from 'preact/hooks'
import type { Pool } from '../../src/client/types.ts'
import { formatExact, formatPrice, formatUsd, formatUsdPrice } from '../format/number.ts'
import { Age } from '../parts/age.tsx'
import { ExplorerLink } from '../parts/explorer.tsx'
import { ageText, CellFigure } from '../parts/figure.tsx'
import { Premium } from '../parts/premium.tsx'
import { reasonsText, StatusBadge } from '../parts/status-badge.tsx'
import { Tip } from '../parts/tip.tsx'
import { depthWords, reserveWords } from '../words/pool-words.ts'
import { memo } from './memo.ts'
import { Chips, Pair } from './pair.tsx'

export type RowProps = { readonly pool: Pool }

/** The shown price and how it is derived. */
const priceOf = (pool: Pool) =>
  pool.kind === 'meme'
    ? {
        usd: pool.otherPriceUsd,
        source: 'Of the other token: the stock’s reference divided by the pool’s price.',
      }
    : {
        usd: pool.stockPriceUsd,
        source: 'Of the stock: the pool’s price times the other token’s reference.',
      }

/** True after the value has changed since the first render. */
const useChanged = (value: number | null): boolean => {
  const known = useRef({ value, changed: false })
  if (known.current.value !== value) known.current = { value, changed: true }
  return known.current.changed
}

const Price = ({ pool }: { readonly pool: Pool }) => {
  const { stockPriceInOther, otherSymbol, stateTs } = pool
  const { usd, source } = priceOf(pool)
  const changed = useChanged(usd)
  return (
    <CellFigure exact={`$${formatExact(usd)}`} source={source} ts={stateTs}>
      <span class={changed ? 'price changed' : 'price'} key={usd}>
        {formatUsdPrice(usd)}
      </span>
      <span class="sub">
        {pool.kind === 'meme' ? 'per' : formatPrice(stockPriceInOther)}{' '}
        <bdi class="other-name">{otherSymbol ?? 'unnamed'}</bdi>
      </span>
    </CellFigure>
  )
}

type UsdProps = { readonly usd: number | null; readonly source: string; readonly ts: number | null }

const Usd = ({ usd, source, ts }: UsdProps) => (
  <CellFigure exact={`$${formatExact(usd)}`} source={source} ts={ts}>
    {formatUsd(usd)}
  </CellFigure>
)

const reservesText = ({ reserveSource }: Pool): string =>
  `Reserves: ${reserveSource === null ? 'not known' : reserveWords[reserveSource]}.`

/** Tip of the row for keyboard users, with what the cells show on hover. */
const rowText = (pool: Pool): string => {
  const { usd, source } = priceOf(pool)
  return [
    `Price ${formatUsdPrice(usd)}, ${ageText(pool.stateTs)}. ${source}`,
    `Liquidity ${formatUsd(pool.liquidityUsd)}, ${ageText(pool.enrichedTs)}. ${reservesText(pool)}`,
    `Depth ${formatUsd(pool.depthUsd)}. ${depthWords}`,
    `Volume ${formatUsd(pool.vol24hUsd)} in 24 h, ${formatUsd(pool.vol1hUsd)} in 1 h.`,
    reasonsText(pool),
  ].join('\n')
}

const sameRow = (before: RowProps, after: RowProps): boolean =>
  before.pool === after.pool || JSON.stringify(before.pool) === JSON.stringify(after.pool)

const Name = ({ pool }: RowProps) => (
  <th scope="row" class="name">
    <Tip text={() => rowText(pool)} class="by-focus">
      <a href={`/pools/${pool.id}`} class="row-link">
        <Pair pool={pool} />
      </a>
    </Tip>
    <Chips pool={pool} />
    {pool.kind === 'meme' ? (
      <ExplorerLink page="token" hex={pool.otherAddress} what={pool.otherSymbol ?? 'token'} />
    ) : null}
  </th>
)

/** A pool; rendered again only if it has changed. */
export const PoolRow = memo<RowProps>(({ pool }) => {
  const { enrichedTs, stateTs } = pool
  return (
    <tr>
      <Name pool={pool} />
      <td class="num" data-name="Price">
        <Price pool={pool} />
      </td>
      <td class="num" data-name="Premium / drift">
        <Premium {...pool} why={reasonsText(pool)} ts={stateTs} />
      </td>
      <td class="num" data-name="Liquidity">
        <Usd usd={pool.liquidityUsd} source={reservesText(pool)} ts={enrichedTs} />
      </td>
      <td class="num" data-name="Depth 2 %">
        <Usd usd={pool.depthUsd} source={depthWords} ts={enrichedTs} />
      </td>
      <td class="num" data-name="1 h">
        <Usd usd={pool.vol1hUsd} source="Swaps of the last hour." ts={stateTs} />
      </td>
      <td class="num" data-name="24 h">
        <Usd usd={pool.vol24hUsd} source="Swaps of the last day." ts={stateTs} />
      </td>
      <td class="num" data-name="Swap">
        <Age ts={pool.lastSwapTs} what="Last confirmed swap: " />
      </td>
      <td data-name="Data">
        <StatusBadge {...pool} />
      </td>
    </tr>
  )
}, sameRow)
