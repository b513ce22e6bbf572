import { implausibleSwapTimesReserves, implausibleSwapUsdMin } from '../ingest/implausible-swaps.ts'
import { microPerUsd, usdMicroMax } from '../pool/stored-rows.ts'
import * as rule from './wash-rule.ts'

/** Name, value, unit and meaning of the parameters of volume (methodology §5). */
export const volumeParameters: readonly (readonly [string, number, string, string])[] = [
  [
    'implausibleSwapTimesReserves',
    implausibleSwapTimesReserves,
    'times',
    'A swap worth more than so many times what its pool held at rest is implausible.',
  ],
  [
    'implausibleSwapUsdMin',
    implausibleSwapUsdMin,
    'US dollars',
    'A swap worth less is not implausible.',
  ],
  [
    'swapUsdMax',
    usdMicroMax / microPerUsd,
    'US dollars',
    'A larger swap counts as this much and is implausible.',
  ],
  [
    'returnSecondsMax',
    rule.returnSecondsMax,
    'seconds',
    'A swap gives back what an earlier one took, at most so much later.',
  ],
  [
    'returnDigitsMin',
    rule.returnDigitsMin,
    'digits',
    'The same amount, of at least so many significant digits.',
  ],
  [
    'returnedSwapsMin',
    rule.returnedSwapsMin,
    'swaps',
    'Fewer such swaps of a trader, or between the traders of a pool, count.',
  ],
  [
    'returnedShareMin',
    rule.returnedShareMin,
    'share',
    'They count, too, where they are a smaller part of the swaps of their trader.',
  ],
  ['concentratedSwapsMin', rule.concentratedSwapsMin, 'swaps', 'A busy pool of few traders.'],
  [
    'concentratedSwapsPerTrader',
    rule.concentratedSwapsPerTrader,
    'swaps',
    'It has more for each trader; so has the trader that is left out.',
  ],
  ['concentratedUsdMin', rule.concentratedUsdMin, 'US dollars', 'Or more dollars than this.'],
  [
    'concentratedUsdPerTrader',
    rule.concentratedUsdPerTrader,
    'US dollars',
    'And more for each trader; so has the trader that is left out.',
  ],
  [
    'concentratedUsdSwapsPerTrader',
    rule.concentratedUsdSwapsPerTrader,
    'swaps',
    'And at least so many for each trader, and of the trader that is left out.',
  ],
  [
    'flatShareMax',
    rule.flatShareMax,
    'share',
    'A trader or a transaction whose two directions differ by more of their sum is spared.',
  ],
  [
    'unknownShareMax',
    rule.unknownShareMax,
    'share',
    'Of swaps or dollars: where the traders of more are unknown the figures are null.',
  ],
  [
    'unknownAfterSeconds',
    rule.unknownAfterSeconds,
    'seconds',
    'The trader of a younger swap is not expected to be known.',
  ],
]
