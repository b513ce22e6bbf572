import type { Stock } from '../../src/client/types.ts'
import { formatUsd, formatUsdPrice } from '../format/number.ts'
import { useService } from '../live/service.ts'
import { CellFigure } from '../parts/figure.tsx'
import { Premium } from '../parts/premium.tsx'
import { reasonsText } from '../parts/status-badge.tsx'

const shown = 6
/** Pools with less liquidity have arbitrary prices. */
const liquidityUsdMin = 10_000

const distanceOf = ({ premiumBps, driftBps }: Stock): number =>
  Math.abs(premiumBps ?? driftBps ?? 0)

/** Stocks whose pools are furthest from their reference. */
const widestOf = (stocks: readonly Stock[]): readonly Stock[] =>
  stocks
    .filter(({ liquidityUsd }) => (liquidityUsd ?? 0) >= liquidityUsdMin)
    .toSorted((one, other) => distanceOf(other) - distanceOf(one))
    .slice(0, shown)

export const Movers = () => {
  const { stocks, stocksWaiting, stocksTs } = useService()
  return (
    <section class="panel movers" aria-busy={stocksWaiting}>
      <h2>
        Furthest from reference <a href="/stocks">all stocks</a>
      </h2>
      <table>
        <caption class="hidden">Stocks whose pools are furthest from their reference</caption>
        <tbody>
          {widestOf(stocks).map((stock) => (
            <tr key={stock.symbol}>
              <th scope="row">
                <a href={`/stocks/${encodeURIComponent(stock.symbol)}`}>{stock.symbol}</a>
                <span class="mute name-cut">{stock.name}</span>
              </th>
              <td class="num">
                <CellFigure source="The best canonical pool’s price." ts={stocksTs}>
                  {formatUsdPrice(stock.poolPriceUsd)}
                </CellFigure>
              </td>
              <td class="num">
                <Premium {...stock} why={reasonsText(stock)} ts={stocksTs} />
              </td>
              <td class="num wide-only">
                <CellFigure source="Volume of all its pools in 24 h." ts={stocksTs}>
                  {formatUsd(stock.vol24hUsd)}
                </CellFigure>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
