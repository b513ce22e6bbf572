import type { Pool } from '../../src/client/types.ts'
import { dash, formatBps } from '../format/number.ts'
import { ageText } from './figure.tsx'
import { Tip } from './tip.tsx'

type Props = Pick<Pool, 'premiumBps' | 'driftBps'> & {
  readonly why?: string
  /** Time of the price. */
  readonly ts: number | null
}

/** Thresholds of stronger colours. */
const levelsBps = [5, 50, 200]

const levelOf = (bps: number): number => levelsBps.filter((each) => Math.abs(bps) >= each).length

/** CSS class of a signed distance: direction and level. */
const toneOf = (bps: number): string => {
  const level = levelOf(bps)
  if (level === 0) return 'even'
  return `${bps > 0 ? 'above' : 'below'} level-${level}`
}

const noneText = 'No reference to compare with.'

/** Premium while the market is open, otherwise the drift since it closed. */
export const Premium = ({ premiumBps, driftBps, why = noneText, ts }: Props) => {
  const bps = premiumBps ?? driftBps
  if (bps === null) {
    return (
      <Tip text={() => why} class="mute" field="premiumBps">
        {dash}
      </Tip>
    )
  }
  const isPremium = premiumBps !== null
  const words = isPremium
    ? `Premium: ${bps.toFixed(2)} bps against the live reference.`
    : `Drift: ${bps.toFixed(2)} bps against the last reference. The market is closed.`
  const text = () => `${words}\n${ageText(ts)}`
  return (
    <Tip
      text={text}
      class={`premium ${toneOf(bps)} ${isPremium ? '' : 'drift'}`}
      field={isPremium ? 'premiumBps' : 'driftBps'}
    >
      {formatBps(bps)}
      {isPremium ? null : <span class="unit">drift</span>}
    </Tip>
  )
}
