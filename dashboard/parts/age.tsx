import { formatAge, formatTs } from '../format/time.ts'
import { useNow } from '../live/use-now.ts'
import { Tip } from './tip.tsx'

type AgeProps = {
  readonly ts: number | null
  readonly what?: string
  /** Name of the time in the API, if it is one of the page's pool. */
  readonly field?: string
}

/** A ticking age with the exact time as its tip. */
export const Age = ({ ts, what = '', field }: AgeProps) => {
  const now = useNow()
  if (ts === null) {
    return (
      <Tip text={() => 'never'} class="mute" field={field}>
        never
      </Tip>
    )
  }
  return (
    <Tip text={() => `${what}${formatTs(ts)}`} field={field}>
      <time dateTime={String(ts)}>{formatAge(now - ts)}</time>
    </Tip>
  )
}
