import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useExplain } from '../live/explain.ts'

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
  /** Name of a pool's number in the API; pressing it shows how it was made, on a pool's page. */
  readonly field?: string | undefined
  readonly children: ComponentChildren
}

const pressWords = 'Press for its formula and inputs.'

/** An element with a tip on hover or focus. */
export const Tip = ({ text, class: name = '', focusable = false, field, children }: TipProps) => {
  const explain = useExplain()
  const opens = explain !== null && field !== undefined
  const attributes = {
    class: `tip ${name}`,
    ref: (element: HTMLElement | null) => {
      if (element !== null) tipTexts.set(element, opens ? () => `${text()}\n${pressWords}` : text)
    },
  }
  if (!opens) {
    return (
      <span {...attributes} {...(focusable ? { tabIndex: 0 } : {})}>
        {children}
      </span>
    )
  }
  return (
    <button
      type="button"
      {...attributes}
      aria-haspopup="dialog"
      data-field={field}
      onClick={() => explain(field)}
    >
      {children}
    </button>
  )
}

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
  // Above an open dialog, which is above everything that was shown before it.
  useLayoutEffect(() => {
    box.current?.showPopover()
    return () => box.current?.hidePopover()
  }, [shown?.at])
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
    <div class="tip-box" role="tooltip" popover="manual" id={boxId} ref={box}>
      {shown.text}
    </div>
  )
}
