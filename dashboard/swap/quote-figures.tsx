import type { ComponentChildren } from 'preact'
import {
  dash,
  formatExact,
  formatFee,
  formatLoss,
  formatPrice,
  formatUsdPrice,
} from '../format/number.ts'
import { Fact, Figure } from '../parts/figure.tsx'

/** An amount of a token or of dollars, and the worth of a token. */
export type Traded = {
  readonly amount: number | null
  readonly symbol: string
  readonly usd: number | null
}

/** What the box shows of a swap quote, whether of one pool or of several. */
export type QuoteFigures = {
  readonly pays: Traded
  readonly receives: Traded
  /** Dollars per stock token, with the fee. */
  readonly priceUsd: number | null
  /** The same in the other token; null for several pools. */
  readonly priceInOther: Traded | null
  readonly priceImpactBps: number | null
  readonly fee: Traded
  /** Of the amount paid. */
  readonly feeShare: number | null
  readonly costBps: number | null
  readonly costUsd: number | null
  readonly filled: boolean
}

type Props = {
  readonly figures: QuoteFigures | null
  /** Block time of the state. */
  readonly ts: number | null
}

const partsMillion = 1_000_000
const bpsPerUnit = 10_000

/** Dollars lost of dollars paid. */
export const costOf = (bps: number | null, paidUsd: number | null): number | null =>
  bps === null || paidUsd === null ? null : (paidUsd * bps) / bpsPerUnit

/** An answer has all lines from the beginning, so that nothing moves when it comes. */
export const QuoteFigureList = ({ figures, ts }: Props) => {
  const figure = (value: number | null | undefined, text: string, source: string, unit = '') =>
    figures === null ? (
      <span class="mute">{dash}</span>
    ) : (
      <Figure exact={`${formatExact(value ?? null)}${unit}`} source={source} ts={ts}>
        {text}
      </Figure>
    )
  const traded = (each: Traded | undefined, source: string) => (
    <>
      {figure(each?.amount, formatPrice(each?.amount ?? null), source)}{' '}
      <bdi class="other-name">{each?.symbol}</bdi>
    </>
  )
  const usd = (value: number | null | undefined, source: string) =>
    value === null || value === undefined ? null : (
      <span class="mute">{figure(value, formatUsdPrice(value), source, ' USD')}</span>
    )
  const line = (name: string, main: ComponentChildren, more: ComponentChildren = null) => (
    <Fact name={name}>
      {main} {more}
    </Fact>
  )
  const { pays, receives, fee, priceUsd, priceInOther, priceImpactBps, costBps } = figures ?? {}
  const worth = 'The amount times the token’s price in this row.'
  return (
    <dl class="quote-figures">
      {line('You pay', traded(pays, 'Paid with the fee.'), usd(pays?.usd, worth))}
      {line('You receive', traded(receives, 'Received.'), usd(receives?.usd, worth))}
      {line(
        'Execution price',
        figure(priceUsd, formatUsdPrice(priceUsd ?? null), 'Per stock token, with the fee.'),
        priceInOther && (
          <span class="mute">{traded(priceInOther, 'Per stock token, with the fee.')}</span>
        ),
      )}
      {line(
        'Price impact',
        figure(
          priceImpactBps,
          formatLoss(priceImpactBps ?? null),
          'Value lost against the price before the swap, without the fee.',
          ' bps',
        ),
      )}
      {line(
        'Fee',
        traded(fee, 'Of the token paid: to liquidity providers and the protocol.'),
        figures?.feeShare == null ? null : (
          <span class="mute">{formatFee(figures.feeShare * partsMillion)}</span>
        ),
      )}
      {line(
        'Total cost',
        figure(
          costBps,
          formatLoss(costBps ?? null),
          'Value lost against the price before the swap, with the fee.',
          ' bps',
        ),
        usd(figures?.costUsd, 'Total cost of what you pay.'),
      )}
      {line('Can be filled', <Filled figures={figures} />)}
    </dl>
  )
}

const Filled = ({ figures }: Pick<Props, 'figures'>) => {
  if (figures === null) return <span class="mute">{dash}</span>
  return figures.filled ? <>Completely</> : <b class="bad">Only in part</b>
}
