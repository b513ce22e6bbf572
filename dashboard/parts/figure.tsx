import type { ComponentChildren } from 'preact'
import { formatAge, formatTs } from '../format/time.ts'
import { nowTs } from '../live/clock.ts'
import { Tip } from './tip.tsx'

type Origin = {
  /** The number with all its digits. */
  readonly exact?: string
  /** Where it comes from. */
  readonly source: string
  /** What it is valid as of. */
  readonly ts: number | null
}

const originText = ({ exact, source, ts }: Origin): string => {
  const age = ts === null ? 'never read' : `${formatAge(nowTs() - ts)} old, of ${formatTs(ts)}`
  return [exact, source, age].filter((line) => line !== undefined).join('\n')
}

/** A number that says where it comes from and how old it is. */
export const Figure = ({
  children,
  ...origin
}: Origin & { readonly children: ComponentChildren }) => (
  <Tip tell={() => originText(origin)} class="figure">
    {children}
  </Tip>
)

type FactProps = { readonly name: string; readonly children: ComponentChildren }

/** One line of a list of facts. */
export const Fact = ({ name, children }: FactProps) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
