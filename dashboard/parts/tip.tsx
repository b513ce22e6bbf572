import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/*
 * One box for all explanations. They are made when they are asked for, because ages in them go on;
 * and one listener hears for hundreds of numbers.
 */

type Tell = () => string

const tellers = new WeakMap<Element, Tell>()

type TipProps = {
  /** Lines that end with a newline. */
  readonly tell: Tell
  readonly class?: string
  /** Reachable by the keyboard; not for the hundreds of cells of a table. */
  readonly focusable?: boolean
  readonly children: ComponentChildren
}

/** Something that says more about itself when it is pointed at. */
export const Tip = ({ tell, class: name = '', focusable = false, children }: TipProps) => (
  <span
    class={`tip ${name}`}
    ref={(element) => {
      if (element !== null) tellers.set(element, tell)
    }}
    {...(focusable ? { tabIndex: 0 } : {})}
  >
    {children}
  </span>
)

/** What a row tells to the keyboard is told to the mouse by each of its cells. */
const kinds = { pointerover: '.tip:not(.by-focus)', focusin: '.tip' } as const

/** The innermost thing around the target that has something to say. */
const tipAt = ({ type, target }: Event): Element | null =>
  target instanceof Element ? target.closest(kinds[type as keyof typeof kinds]) : null

const boxId = 'tip'
const marginPixels = 8

const place = (element: HTMLElement, box: DOMRect): void => {
  const { offsetWidth: width, offsetHeight: height } = element
  const left = Math.min(box.left, innerWidth - width - marginPixels)
  const above = box.top - height - marginPixels
  const top = above >= marginPixels ? above : box.bottom + marginPixels
  element.style.left = `${Math.max(marginPixels, left)}px`
  element.style.top = `${top}px`
}

type Shown = { readonly text: string; readonly at: Element }
type Show = (next: (known: Shown | null) => Shown | null) => void

const isOnScreen = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return element.isConnected && bottom > 0 && top < innerHeight
}

/**
 * Tells what is pointed at or has the focus, until Escape. It goes along with what it explains when
 * the page scrolls: what the Tab key reaches outside of the screen scrolls into it afterwards.
 */
const listenForTips = (show: Show): (() => void) => {
  const reveal = (event: Event) => {
    const at = tipAt(event)
    const tell = at === null ? undefined : tellers.get(at)
    show(() => (at === null || tell === undefined ? null : { text: tell(), at }))
  }
  const hide = () => show(() => null)
  const follow = () =>
    show((known) => (known === null || !isOnScreen(known.at) ? null : { ...known }))
  const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('pointerover', reveal, { signal })
  addEventListener('focusin', reveal, { signal })
  addEventListener('keydown', onKey, { signal })
  addEventListener('scroll', follow, { signal, passive: true, capture: true })
  return () => stop.abort()
}

/** Stands once in the page. */
export const TipBox = () => {
  const [shown, setShown] = useState<Shown | null>(null)
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => listenForTips(setShown), [])
  useLayoutEffect(() => {
    if (own.current === null || shown === null) return
    place(own.current, shown.at.getBoundingClientRect())
    // What has the focus is described to who does not see the box.
    const described = shown.at.contains(document.activeElement) ? document.activeElement : null
    described?.setAttribute('aria-describedby', boxId)
    return () => described?.removeAttribute('aria-describedby')
  }, [shown])
  if (shown === null) return null
  return (
    <div class="tip-box" role="tooltip" id={boxId} ref={own}>
      {shown.text}
    </div>
  )
}
