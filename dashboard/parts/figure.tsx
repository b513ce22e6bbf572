import type { ComponentChildren } from 'preact'
import { formatAge, formatTs } from '../format/time.ts'
import { nowTs } from '../live/clock.ts'
import { Tip } from './tip.tsx'

type Origin = {
  /** The number with all digits. */
  readonly exact?: string
  /** Where it comes from. */
  readonly source: string
  /** Time of the number; absent if it never changes. */
  readonly ts?: number | null
}

/** Age and time of a number. */
export const ageText = (ts: number | null): string =>
  ts === null ? 'never read' : `${formatAge(nowTs() - ts)} old, of ${formatTs(ts)}`

const originText = ({ exact, source, ts }: Origin): string => {
  const age = ts === undefined ? undefined : ageText(ts)
  return [exact, source, age].filter((line) => line !== undefined).join('\n')
}

type FigureProps = Origin & {
  /** Its name in the API, if it is a number of the page's pool. */
  readonly field?: string
  readonly children: ComponentChildren
}

/** A number with its source and age as a tip, for mouse and keyboard. */
export const Figure = ({ children, field, ...origin }: FigureProps) => (
  <Tip text={() => originText(origin)} class="figure" focusable field={field}>
    {children}
  </Tip>
)

/** A number in a table, with a tip for the mouse; keyboard users get the tip of the row. */
export const CellFigure = ({ children, ...origin }: FigureProps) => (
  <Tip text={() => originText(origin)} class="figure">
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
