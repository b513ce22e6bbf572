import type { Pool } from '../../src/client/types.ts'
import { isWarning, reasonWords, statusWords } from '../words/reasons.ts'
import { Tip } from './tip.tsx'

type Props = Pick<Pool, 'dataStatus' | 'statusReasons'>

const shortReasons: Partial<Readonly<Record<Props['statusReasons'][number], string>>> = {
  market_closed: 'closed',
  trading_halt: 'halted',
  oracle_paused: 'paused',
  hook_custom_accounting: 'hook',
  multiplier_pending: 'split',
  reference_conflict: 'conflict',
  premium_implausible: 'implausible',
  index_gap: 'gap',
  fee_excessive: 'fee',
  hook_unreviewed: 'hook',
  volume_implausible: 'volume',
  quote_unconfirmed: 'unconfirmed',
  reserve_short: 'short',
  reserve_rebasing: 'rebasing',
}

/** The status with its most serious warning, visible without hovering. */
const badgeText = ({ dataStatus, statusReasons }: Props): string => {
  const warning = statusReasons.find(isWarning)
  const word = warning === undefined ? undefined : shortReasons[warning]
  return word === undefined ? dataStatus : `${dataStatus} · ${word}`
}

export const reasonsText = ({ dataStatus, statusReasons }: Props): string =>
  [statusWords[dataStatus], ...statusReasons.map((reason) => `• ${reasonWords[reason]}`)].join('\n')

/** Data status of a row with its reasons. */
export const StatusBadge = (row: Props) => {
  const warns = row.statusReasons.some(isWarning)
  return (
    <Tip text={() => reasonsText(row)} class={`badge ${row.dataStatus} ${warns ? 'warns' : ''}`}>
      <span class="dot" aria-hidden="true" />
      {badgeText(row)}
      <span class="hidden"> {row.statusReasons.map((each) => reasonWords[each]).join(' ')}</span>
    </Tip>
  )
}
