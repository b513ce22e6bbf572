import type { Pool } from '../../src/client/types.ts'
import { formatExact, formatPrice, formatUsd, formatUsdPrice } from '../format/number.ts'
import { Age } from '../parts/age.tsx'
import { Figure } from '../parts/figure.tsx'
import { Gap } from '../parts/gap.tsx'
import { reasonsText, StatusBadge } from '../parts/status-badge.tsx'
import { memo } from './memo.ts'
import { Chips, Pair } from './pair.tsx'

export type RowProps = { readonly pool: Pool; readonly lookAlike: boolean }

const Price = ({ pool }: { readonly pool: Pool }) => {
  const { stockPriceUsd, otherPriceUsd, stockPriceInOther, otherSymbol, stateTs } = pool
  const isMeme = pool.kind === 'meme'
  const usd = isMeme ? otherPriceUsd : stockPriceUsd
  const source = isMeme
    ? 'Of the other token: the stock’s reference divided by the pool’s price.'
    : 'Of the stock: the pool’s price times the other token’s reference.'
  return (
    <Figure exact={`$${formatExact(usd)}`} source={source} ts={stateTs}>
      <span class="price" key={usd}>
        {formatUsdPrice(usd)}
      </span>
      <span class="sub">
        {isMeme ? 'per' : formatPrice(stockPriceInOther)}{' '}
        <bdi class="other-name">{otherSymbol ?? 'unnamed'}</bdi>
      </span>
    </Figure>
  )
}

type UsdProps = { readonly usd: number | null; readonly source: string; readonly ts: number | null }

const Usd = ({ usd, source, ts }: UsdProps) => (
  <Figure exact={`$${formatExact(usd)}`} source={source} ts={ts}>
    {formatUsd(usd)}
  </Figure>
)

const sameRow = (before: RowProps, after: RowProps): boolean =>
  before.lookAlike === after.lookAlike &&
  (before.pool === after.pool || JSON.stringify(before.pool) === JSON.stringify(after.pool))

/** One pool; drawn again only if something about it has changed. */
export const PoolRow = memo<RowProps>(({ pool, lookAlike }) => {
  const { enrichedTs, stateTs } = pool
  return (
    <tr>
      <th scope="row" class="name">
        <a href={`/pools/${pool.id}`} class="row-link">
          <Pair pool={pool} />
        </a>
        <Chips pool={pool} lookAlike={lookAlike} />
      </th>
      <td class="num" data-name="Price">
        <Price pool={pool} />
      </td>
      <td class="num" data-name="Gap">
        <Gap {...pool} why={reasonsText(pool)} />
      </td>
      <td class="num" data-name="Liquidity">
        <Usd
          usd={pool.liquidityUsd}
          source={`Reserves by ${pool.reserveSource}.`}
          ts={enrichedTs}
        />
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
