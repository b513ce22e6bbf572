import {
  formatCompact,
  formatExact,
  formatInteger,
  formatUsd,
  formatUsdPrice,
} from '../format/number.ts'
import { Age } from '../parts/age.tsx'
import { ExplorerLink } from '../parts/explorer.tsx'
import { CellFigure } from '../parts/figure.tsx'
import type { TapeSwap } from './use-tape.ts'

const usdPriceOf = ({ amountUsd, stockAmount }: TapeSwap): number | null =>
  amountUsd === null || stockAmount === null || stockAmount === 0 ? null : amountUsd / stockAmount

type TapeProps = {
  readonly swaps: readonly TapeSwap[]
  /** Past swaps are still loading. */
  readonly waiting: boolean
}

/** Live confirmed swaps of all pools. */
export const Tape = ({ swaps, waiting }: TapeProps) => (
  <section class="panel tape" aria-busy={waiting}>
    <h2>Latest swaps</h2>
    {swaps.length === 0 ? (
      <p class="mute">{waiting ? 'Loading swaps …' : 'Waiting for the next swap …'}</p>
    ) : null}
    <table>
      <caption class="hidden">The latest confirmed swaps</caption>
      <tbody>
        {swaps.map((swap) => (
          <tr key={`${swap.txHash} ${swap.logIndex}`} class="arrives">
            <td class={`side ${swap.side}`}>{swap.side}</td>
            <th scope="row">
              <a href={`/pools/${swap.poolId}`}>
                {formatCompact(swap.stockAmount)} {swap.stockSymbol}
              </a>
            </th>
            <td class="num">
              <CellFigure
                exact={`$${formatExact(swap.amountUsd)}`}
                source={`Swap in block ${formatInteger(swap.block)}, valued at its time.`}
                ts={swap.ts}
              >
                {formatUsd(swap.amountUsd)}
              </CellFigure>
            </td>
            <td class="num mute wide-only">
              <CellFigure source="US dollars per stock token." ts={swap.ts}>
                {formatUsdPrice(usdPriceOf(swap))}
              </CellFigure>
            </td>
            <td class="num mute">
              <Age ts={swap.ts} />
              <span class="wide-only">
                {' '}
                <ExplorerLink page="tx" hex={swap.txHash} what="transaction" />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
