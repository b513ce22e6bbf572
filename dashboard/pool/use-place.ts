import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/*
 * The reader's place in a long list with rows of one height. It is a row, not a distance from the
 * top: rows that come or go above it do not move it.
 */

/** The row at the upper edge, and how much of it is out of sight; null is the top. */
type Place = { readonly key: string; readonly pixels: number } | null

type Rows = {
  readonly keys: readonly string[]
  readonly rowPixels: number
  /** At the top the newest rows stay in sight, if none is newer. */
  readonly isLive: boolean
}

/** Rows above and below those in sight that are drawn as well. */
const margin = 8
const usualHeight = 460

export const usePlace = ({ keys, rowPixels, isLive }: Rows) => {
  const element = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>(null)
  /** Where the row was, for when it is gone. */
  const lastNumber = useRef(0)
  const found = place === null ? 0 : keys.indexOf(place.key)
  const first = found === -1 ? Math.min(lastNumber.current, Math.max(0, keys.length - 1)) : found
  lastNumber.current = first
  const wantedTop = first * rowPixels + (place?.pixels ?? 0)
  useLayoutEffect(() => {
    const own = element.current
    if (own !== null && Math.abs(own.scrollTop - wantedTop) >= 1) own.scrollTop = wantedTop
  }, [wantedTop, keys])
  const onScroll = () => {
    const scrollTop = element.current?.scrollTop ?? 0
    const number = Math.min(keys.length - 1, Math.floor(scrollTop / rowPixels))
    const key = keys[number]
    if (key === undefined || (scrollTop < 1 && isLive)) return setPlace(null)
    const pixels = scrollTop - number * rowPixels
    setPlace((known) => (known?.key === key && known.pixels === pixels ? known : { key, pixels }))
  }
  const inSight = Math.ceil((element.current?.clientHeight ?? usualHeight) / rowPixels)
  return {
    element,
    onScroll,
    isAtTop: place === null,
    /** Numbers of the first row in sight as a whole, and of those that are drawn. */
    first: first + (place !== null && place.pixels > 0 ? 1 : 0),
    drawn: {
      from: Math.max(0, first - margin),
      to: Math.min(keys.length, first + inSight + 1 + margin),
    },
    toTop: () => setPlace(null),
  }
}
