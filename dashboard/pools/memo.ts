import type { Component, FunctionComponent, VNode } from 'preact'

/**
 * A component that is left alone while its properties mean the same. Nothing drawn is kept for it:
 * a kept node holds its parents of then, with all rows of then, and each of those what it kept.
 */
export const memo = <Props>(
  draw: (props: Props) => VNode,
  isSame: (before: Props, after: Props) => boolean,
): FunctionComponent<Props> =>
  function Memo(this: Component<Props>, props: Props) {
    this.shouldComponentUpdate = (next) => !isSame(this.props as Props, next as Props)
    return draw(props)
  } as FunctionComponent<Props>
