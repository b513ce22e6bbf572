import type { Pool, Stock, StockQuote } from '../../src/client/types.ts'
import {
  dash,
  formatExact,
  formatFee,
  formatLoss,
  formatPrice,
  formatUsdPrice,
} from '../format/number.ts'
import { shortHex } from '../format/text.ts'
import { CellFigure } from '../parts/figure.tsx'

type Leg = NonNullable<StockQuote['quote']>['legs'][number]

const bpsPerUnit = 10_000

const Name = ({ leg, pool }: { readonly leg: Leg; readonly pool: Pool | undefined }) => (
  <a href={`/pools/${leg.poolId}`}>
    {pool === undefined ? (
      shortHex(leg.poolId)
    ) : (
      <>
        <bdi class="other-name">{pool.otherSymbol ?? 'unnamed'}</bdi> {pool.version}{' '}
        {formatFee(pool.fee)}
      </>
    )}
  </a>
)

type LegProps = { readonly leg: Leg; readonly pool: Pool | undefined; readonly stock: Stock }

const Line = ({ leg, pool, stock }: LegProps) => {
  const { share, side, amountIn, amountOut, executionPriceUsd, costBps } = leg
  const [stockAmount, otherAmount] = side === 'buy' ? [amountOut, amountIn] : [amountIn, amountOut]
  const cell = (exact: number | null, text: string, source: string) => (
    <CellFigure exact={formatExact(exact)} source={source} ts={pool?.stateTs ?? null}>
      {text}
    </CellFigure>
  )
  return (
    <tr>
      <th scope="row">
        <Name leg={leg} pool={pool} />
      </th>
      <td class="num">
        {cell(share, formatLoss(share * bpsPerUnit), 'Part of the amount that the order fixes.')}
      </td>
      <td class="num">
        {cell(stockAmount, formatPrice(stockAmount), `${stock.symbol} of this pool.`)}
      </td>
      <td class="num wide-only">
        {cell(otherAmount, formatPrice(otherAmount), 'Other tokens of this pool.')}
      </td>
      <td class="num">
        {cell(executionPriceUsd, formatUsdPrice(executionPriceUsd), 'Per token, with the fee.')}
      </td>
      <td class="num wide-only">
        {cell(costBps, formatLoss(costBps), 'Against the price of this pool, with the fee.')}
      </td>
    </tr>
  )
}

type LegsProps = {
  readonly legs: readonly Leg[]
  /** Those of the page, for their names. */
  readonly pools: readonly Pool[]
  readonly stock: Stock
}

/** The pools that take part in an order. As high without one, and scrolls with many. */
export const Legs = ({ legs, pools, stock }: LegsProps) => (
  <div class="legs">
    <table>
      <caption class="hidden">The pools that take part</caption>
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col" class="num">
            Share
          </th>
          <th scope="col" class="num">
            {stock.symbol}
          </th>
          <th scope="col" class="num wide-only">
            Other token
          </th>
          <th scope="col" class="num">
            Price
          </th>
          <th scope="col" class="num wide-only">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {legs.length === 0 ? (
          <tr>
            <td class="mute" colSpan={6}>
              {dash}
            </td>
          </tr>
        ) : null}
        {legs.map((leg) => (
          <Line
            key={leg.poolId}
            leg={leg}
            pool={pools.find(({ id }) => id === leg.poolId)}
            stock={stock}
          />
        ))}
      </tbody>
    </table>
  </div>
)
