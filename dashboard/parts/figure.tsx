import type { ComponentChildren } from 'preact'
import { formatAge, formatTs } from '../format/time.ts'
import { nowTs } from '../live/clock.ts'
import { Tip } from './tip.tsx'

type Origin = {
  /** The number with all its digits. */
  readonly exact?: string
  /** Where it comes from. */
  readonly source: string
  /** What it is valid as of; absent for what never changes. */
  readonly ts?: number | null
}

/** How old a number is, at this moment. */
export const ageText = (ts: number | null): string =>
  ts === null ? 'never read' : `${formatAge(nowTs() - ts)} old, of ${formatTs(ts)}`

const originText = ({ exact, source, ts }: Origin): string => {
  const age = ts === undefined ? undefined : ageText(ts)
  return [exact, source, age].filter((line) => line !== undefined).join('\n')
}

type FigureProps = Origin & { readonly children: ComponentChildren }

/** A number that says where it comes from and how old it is, to the mouse and to the keyboard. */
export const Figure = ({ children, ...origin }: FigureProps) => (
  <Tip tell={() => originText(origin)} class="figure" focusable>
    {children}
  </Tip>
)

/** The same among hundreds: the keyboard goes from row to row, and each row tells its own. */
export const CellFigure = ({ children, ...origin }: FigureProps) => (
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
