import { useEffect, useState } from 'preact/hooks'
import { browserNow } from './clock.ts'
import { useNow } from './use-now.ts'

/** Until when the service refuses this page's requests. */
let untilTs = 0
const listeners = new Set<() => void>()

/** Called with every response. */
export const noteRefusal = ({ status, headers }: Response): void => {
  if (status !== 429) return
  const seconds = Number(headers.get('retry-after') ?? 1)
  untilTs = Math.max(untilTs, browserNow() + seconds)
  for (const listener of listeners) listener()
}

/** Seconds until the service takes requests of this page again; null: it does. */
export const useRefusal = (): number | null => {
  const [, setCount] = useState(0)
  useNow()
  useEffect(() => {
    const draw = () => setCount((count) => count + 1)
    listeners.add(draw)
    return () => {
      listeners.delete(draw)
    }
  }, [])
  const seconds = Math.ceil(untilTs - browserNow())
  return seconds > 0 ? seconds : null
}
