import type { Pool, PoolDetail } from '../../src/client/types.ts'
import {
  formatCompact,
  formatExact,
  formatInteger,
  formatPrice,
  formatUsd,
} from '../format/number.ts'
import { Age } from '../parts/age.tsx'
import { HexLink } from '../parts/explorer.tsx'
import { CellFigure } from '../parts/figure.tsx'
import { Hex } from '../parts/hex.tsx'

type Swap = PoolDetail['swaps'][number]

const shown = 40
const barPixels = 40

const largestOf = (swaps: readonly Swap[]): number =>
  Math.max(1, ...swaps.map(({ amountUsd }) => amountUsd ?? 0))

const eventText = ({ block, logIndex }: Swap): string =>
  `Swap event ${logIndex} of block ${formatInteger(block)}.`

type LineProps = { readonly swap: Swap; readonly largest: number }

const Line = ({ swap, largest }: LineProps) => (
  <tr class="arrives">
    <td class="num">
      <Age ts={swap.ts} />
    </td>
    <td class={`side ${swap.side}`}>{swap.side}</td>
    <td class="num">
      <CellFigure exact={formatExact(swap.stockAmount)} source={eventText(swap)} ts={swap.ts}>
        {formatCompact(swap.stockAmount)}
      </CellFigure>
    </td>
    <td class="num">
      <CellFigure exact={formatExact(swap.priceInOther)} source={eventText(swap)} ts={swap.ts}>
        {formatPrice(swap.priceInOther)}
      </CellFigure>
    </td>
    <td class="num">
      <CellFigure
        exact={`$${formatExact(swap.amountUsd)}`}
        source={`${eventText(swap)} Valued by the reference of its time.`}
        ts={swap.ts}
      >
        {formatUsd(swap.amountUsd)}
      </CellFigure>
    </td>
    <td class="bar-cell">
      <svg width={barPixels} height="8" aria-hidden="true" class={`bar ${swap.side}`}>
        <rect height="8" width={((swap.amountUsd ?? 0) / largest) * barPixels} rx="2" />
      </svg>
    </td>
    <td class="wide-only">
      <Hex hex={swap.sender} what="sender" />
    </td>
    <td class="wide-only">
      <HexLink page="tx" hex={swap.txHash} what="transaction" />
    </td>
  </tr>
)

type TapeProps = {
  readonly pool: Pool
  readonly swaps: readonly Swap[]
  /** The swaps are of the previous range. */
  readonly waiting: boolean
}

/** Live confirmed swaps of the pool, newest first. */
export const SwapTape = ({ pool, swaps, waiting }: TapeProps) => {
  const lines = swaps.slice(0, shown)
  const largest = largestOf(lines)
  return (
    <section class="panel swaps" aria-busy={waiting}>
      <h2>
        Swaps <span class="mute">live, confirmed</span>
      </h2>
      {lines.length === 0 ? <p class="nothing">No swap in this range.</p> : null}
      {lines.length === 0 ? null : (
        <div class="table-scroll tape-scroll">
          <table>
            <caption class="hidden">Latest swaps of this pool</caption>
            <thead>
              <tr>
                <th scope="col" class="num">
                  Age
                </th>
                <th scope="col">Side</th>
                <th scope="col" class="num">
                  {pool.stockSymbol}
                </th>
                <th scope="col" class="num">
                  Price, <bdi class="other-name">{pool.otherSymbol ?? 'other'}</bdi>
                </th>
                <th scope="col" class="num">
                  USD
                </th>
                <th scope="col">
                  <span class="hidden">Size</span>
                </th>
                <th scope="col" class="wide-only">
                  Sender
                </th>
                <th scope="col" class="wide-only">
                  Transaction
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((swap) => (
                <Line key={`${swap.txHash} ${swap.logIndex}`} swap={swap} largest={largest} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
