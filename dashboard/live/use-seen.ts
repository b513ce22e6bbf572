import { useEffect, useRef, useState } from 'preact/hooks'

/** True from the moment at which the element first comes near the screen. */
export const useSeen = () => {
  const element = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const watch = ([entry]: readonly IntersectionObserverEntry[]) => {
      if (entry?.isIntersecting !== true) return
      setSeen(true)
      observer.disconnect()
    }
    const observer = new IntersectionObserver(watch)
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, seen }
}
