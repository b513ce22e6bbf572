import { useEffect, useState } from 'preact/hooks'
import { everySecond, nowTs } from './clock.ts'

/** Unix seconds of the service; renders again every second. */
export const useNow = (): number => {
  const [now, setNow] = useState(nowTs)
  useEffect(() => {
    const look = () => setNow(nowTs())
    // Between drawing and listening the service may have said what time it is.
    look()
    return everySecond(look)
  }, [])
  return now
}
