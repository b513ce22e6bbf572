import { useEffect } from 'preact/hooks'
import { api } from '../live/api.ts'
import { setServiceTime } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'

const statusSeconds = 60

/** The network's name; keeps the page's clock right on the way. */
export const useEmbedNetwork = (): string => {
  const ask = (signal: AbortSignal) => api.status({ signal })
  const { value } = useAnswer({ key: 'status', ask, everySeconds: statusSeconds })
  useEffect(() => {
    if (value !== null) setServiceTime(value.ts)
  }, [value])
  return value?.chain.network ?? ''
}
