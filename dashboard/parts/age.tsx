import { formatAge, formatTs } from '../format/time.ts'
import { useNow } from '../live/use-now.ts'
import { Tip } from './tip.tsx'

/** A ticking age with the exact time as its tip. */
export const Age = ({ ts, what = '' }: { readonly ts: number | null; readonly what?: string }) => {
  const now = useNow()
  if (ts === null) return <span class="mute">never</span>
  return (
    <Tip text={() => `${what}${formatTs(ts)}`}>
      <time dateTime={String(ts)}>{formatAge(now - ts)}</time>
    </Tip>
  )
}
