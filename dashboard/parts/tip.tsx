import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/*
 * One box for all tips. Texts are built when shown, because ages in them change, and one listener
 * serves hundreds of numbers.
 */

type TipText = () => string

const tipTexts = new WeakMap<Element, TipText>()

type TipProps = {
  /** Builds the text; lines are separated by newlines. */
  readonly text: TipText
  readonly class?: string
  /** True to make it focusable; false for cells of a table. */
  readonly focusable?: boolean
  readonly children: ComponentChildren
}

/** An element with a tip on hover or focus. */
export const Tip = ({ text, class: name = '', focusable = false, children }: TipProps) => (
  <span
    class={`tip ${name}`}
    ref={(element) => {
      if (element !== null) tipTexts.set(element, text)
    }}
    {...(focusable ? { tabIndex: 0 } : {})}
  >
    {children}
  </span>
)

/** Row tips are for the keyboard only; the mouse gets the tips of the cells. */
const kinds = { pointerover: '.tip:not(.by-focus)', focusin: '.tip' } as const

/** The innermost element with a tip around the target. */
const tipAt = ({ type, target }: Event): Element | null =>
  target instanceof Element ? target.closest(kinds[type as keyof typeof kinds]) : null

const boxId = 'tip'
const marginPixels = 8

const moveBox = (element: HTMLElement, box: DOMRect): void => {
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
 * Shows the tip of the hovered or focused element until Escape. It moves along when the page
 * scrolls, because an element focused outside the screen scrolls into it afterwards.
 */
const listenForTips = (show: Show): (() => void) => {
  const reveal = (event: Event) => {
    const at = tipAt(event)
    const text = at === null ? undefined : tipTexts.get(at)
    show(() => (at === null || text === undefined ? null : { text: text(), at }))
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

/** The tip box; rendered once per page. */
export const TipBox = () => {
  const [shown, setShown] = useState<Shown | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => listenForTips(setShown), [])
  useLayoutEffect(() => {
    if (box.current === null || shown === null) return
    moveBox(box.current, shown.at.getBoundingClientRect())
    // Describes the focused element to assistive technology.
    const described = shown.at.contains(document.activeElement) ? document.activeElement : null
    described?.setAttribute('aria-describedby', boxId)
    return () => described?.removeAttribute('aria-describedby')
  }, [shown])
  if (shown === null) return null
  return (
    <div class="tip-box" role="tooltip" id={boxId} ref={box}>
      {shown.text}
    </div>
  )
}
