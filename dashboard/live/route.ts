import { useEffect, useState } from 'preact/hooks'

/*
 * The URL is the state of the page, so that links, sharing and the back button work.
 */

const moved = 'stockpools:moved'

export type Location = { readonly path: string; readonly search: string }

const readLocation = (): Location => ({ path: location.pathname, search: location.search })

/** Changes the URL; `replace` avoids a history entry per typed letter. */
export const navigate = (url: string, how: 'push' | 'replace' = 'push'): void => {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', url)
  dispatchEvent(new Event(moved))
}

/** Sets parameters of the present page; null removes one. */
export const setParams = (changes: Readonly<Record<string, string | null>>): void => {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  navigate(text === '' ? location.pathname : `${location.pathname}?${text}`, 'replace')
}

export const useCurrentLocation = (): Location => {
  const [place, setPlace] = useState(readLocation)
  useEffect(() => {
    const update = () => setPlace(readLocation())
    addEventListener('popstate', update)
    addEventListener(moved, update)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener(moved, update)
    }
  }, [])
  return place
}

/** Paths that the dashboard renders; the browser opens all others. */
const ownPath = /^\/($|pools\/|stocks($|\/))/

/** Follows a link within the page, unless the reader opens it elsewhere. */
export const followLink = (event: MouseEvent): void => {
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (event.defaultPrevented || event.button !== 0 || opensElsewhere) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.origin !== location.origin || !ownPath.test(link.pathname)) return
  if (link.target !== '' || link.hash !== '') return
  event.preventDefault()
  navigate(link.pathname + link.search)
  scrollTo(0, 0)
}
