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
  /** Those before now are still asked for. */
  readonly waiting: boolean
}

/** Swaps of all pools as they are confirmed. */
export const Tape = ({ swaps, waiting }: TapeProps) => (
  <section class="panel tape" aria-busy={waiting}>
    <h2>Confirmed just now</h2>
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
                source={`A swap in block ${formatInteger(swap.block)}, priced at its time.`}
                ts={swap.ts}
              >
                {formatUsd(swap.amountUsd)}
              </CellFigure>
            </td>
            <td class="num mute wide-only">
              <CellFigure source="Dollars paid for one stock token." ts={swap.ts}>
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
