import { useEffect, useState } from 'preact/hooks'

/*
 * The address bar is the state of the page: every link works, can be shared, and goes back.
 */

const moved = 'stockpools:moved'

export type Place = { readonly path: string; readonly search: string }

const placeNow = (): Place => ({ path: location.pathname, search: location.search })

/** Typing in a search box replaces the entry instead of adding one for each letter. */
export const go = (url: string, how: 'push' | 'replace' = 'push'): void => {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', url)
  dispatchEvent(new Event(moved))
}

export const usePlace = (): Place => {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const look = () => setPlace(placeNow())
    addEventListener('popstate', look)
    addEventListener(moved, look)
    return () => {
      removeEventListener('popstate', look)
      removeEventListener(moved, look)
    }
  }, [])
  return place
}

/** What the dashboard itself shows; everything else the browser opens. */
const ownPath = /^\/($|pools\/|stocks($|\/))/

/** Follows a link within the page, unless the reader wants it elsewhere. */
export const followLink = (event: MouseEvent): void => {
  const wanted = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (event.defaultPrevented || event.button !== 0 || wanted) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.origin !== location.origin || !ownPath.test(link.pathname)) return
  if (link.target !== '' || link.hash !== '') return
  event.preventDefault()
  go(link.pathname + link.search)
  scrollTo(0, 0)
}
