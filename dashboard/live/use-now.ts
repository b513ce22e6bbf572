import { useEffect, useState } from 'preact/hooks'
import { everySecond, nowTs } from './clock.ts'

/** Unix seconds of the service; renders again every second. */
export const useNow = (): number => {
  const [now, setNow] = useState(nowTs)
  useEffect(() => {
    const update = () => setNow(nowTs())
    // The clock may have been set between rendering and subscribing.
    update()
    return everySecond(update)
  }, [])
  return now
}
