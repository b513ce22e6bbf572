import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/*
 * One box for all explanations. They are made when they are asked for, because ages in them go on.
 */

type Shown = { readonly text: string; readonly box: DOMRect }

let show: (shown: Shown | null) => void = () => {}

const reveal = (element: Element, tell: () => string): void =>
  show({ text: tell(), box: element.getBoundingClientRect() })

const hide = (): void => show(null)

type TipProps = {
  /** Lines that end with a newline. */
  readonly tell: () => string
  readonly class?: string
  /** Reachable by the keyboard; not for the hundreds of cells of a table. */
  readonly focusable?: boolean
  readonly children: ComponentChildren
}

/** Something that says more about itself when it is pointed at. */
export const Tip = ({ tell, class: name = '', focusable = false, children }: TipProps) => {
  const own = useRef<HTMLSpanElement>(null)
  const open = () => own.current !== null && reveal(own.current, tell)
  return (
    <span
      ref={own}
      class={`tip ${name}`}
      {...(focusable ? { tabIndex: 0, onFocus: open, onBlur: hide } : {})}
      onPointerEnter={open}
      onPointerLeave={hide}
    >
      {children}
    </span>
  )
}

const marginPixels = 8

const place = (element: HTMLElement, { box }: Shown): void => {
  const { offsetWidth: width, offsetHeight: height } = element
  const left = Math.min(box.left, innerWidth - width - marginPixels)
  const above = box.top - height - marginPixels
  const top = above >= marginPixels ? above : box.bottom + marginPixels
  element.style.left = `${Math.max(marginPixels, left)}px`
  element.style.top = `${top}px`
}

/** Stands once in the page. */
export const TipBox = () => {
  const [shown, setShown] = useState<Shown | null>(null)
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    show = setShown
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    addEventListener('keydown', onKey)
    addEventListener('scroll', hide, { passive: true, capture: true })
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('scroll', hide, { capture: true })
    }
  }, [])
  useEffect(() => {
    if (own.current !== null && shown !== null) place(own.current, shown)
  }, [shown])
  if (shown === null) return null
  return (
    <div class="tip-box" role="tooltip" ref={own}>
      {shown.text}
    </div>
  )
}
