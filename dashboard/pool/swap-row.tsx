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
import type { Swap } from './swap-list.ts'

const barPixels = 40

const eventText = ({ block, logIndex }: Swap): string =>
  `Swap event ${logIndex} of block ${formatInteger(block)}.`

type RowProps = {
  readonly swap: Swap
  /** Number in the table, from 1. */
  readonly number: number
  /** Dollars of a full bar. */
  readonly largest: number
  /** Whether the Tab key stops here. */
  readonly isStop: boolean
  readonly hasArrived: boolean
}

export const SwapRow = ({ swap, number, largest, isStop, hasArrived }: RowProps) => {
  const tabIndex = isStop ? 0 : -1
  return (
    <tr class={hasArrived ? 'arrives' : ''} aria-rowindex={number}>
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
        <Hex hex={swap.sender} what="sender" tabIndex={tabIndex} />
      </td>
      <td class="wide-only">
        <HexLink page="tx" hex={swap.txHash} what="transaction" tabIndex={tabIndex} />
      </td>
    </tr>
  )
}
