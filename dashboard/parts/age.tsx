import { formatAge, formatTs } from '../format/time.ts'
import { useNow } from '../live/use-now.ts'
import { Tip } from './tip.tsx'

/** How long ago, ticking; the instant when pointed at. */
export const Age = ({ ts, what = '' }: { readonly ts: number | null; readonly what?: string }) => {
  const now = useNow()
  if (ts === null) return <span class="mute">never</span>
  return (
    <Tip tell={() => `${what}${formatTs(ts)}`}>
      <time dateTime={String(ts)}>{formatAge(now - ts)}</time>
    </Tip>
  )
}
