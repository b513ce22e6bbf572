import type { Pool } from '../../src/client/types.ts'
import { dash, formatBps } from '../format/number.ts'
import { ageText } from './figure.tsx'
import { Tip } from './tip.tsx'

type Props = Pick<Pool, 'premiumBps' | 'driftBps'> & {
  readonly why?: string
  /** What the price is valid as of. */
  readonly ts: number | null
}

/** From these on the colour gets stronger. */
const levelsBps = [5, 50, 200]

const levelOf = (bps: number): number => levelsBps.filter((each) => Math.abs(bps) >= each).length

/** The class of a signed distance: its direction and how far. */
const toneOf = (bps: number): string => {
  const level = levelOf(bps)
  if (level === 0) return 'even'
  return `${bps > 0 ? 'above' : 'below'} level-${level}`
}

const noneText = 'No reference to compare with.'

/** Premium while the market is open, else the drift since it closed; never mixed up. */
export const Gap = ({ premiumBps, driftBps, why = noneText, ts }: Props) => {
  const bps = premiumBps ?? driftBps
  if (bps === null) {
    return (
      <Tip tell={() => why} class="mute">
        {dash}
      </Tip>
    )
  }
  const isPremium = premiumBps !== null
  const words = isPremium
    ? `Premium: ${bps.toFixed(2)} bps against the live reference.`
    : `Drift: ${bps.toFixed(2)} bps against the last reference. The market is closed.`
  const tell = () => `${words}\n${ageText(ts)}`
  return (
    <Tip tell={tell} class={`gap ${toneOf(bps)} ${isPremium ? '' : 'drift'}`}>
      {formatBps(bps)}
      {isPremium ? null : <span class="unit">drift</span>}
    </Tip>
  )
}
