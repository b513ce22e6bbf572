import type { Component, FunctionComponent, VNode } from 'preact'

/**
 * Renders a component only if its properties change. It caches no nodes: a cached node holds its
 * former parents and with them all former rows.
 */
export const memo = <Props>(
  draw: (props: Props) => VNode,
  isSame: (before: Props, after: Props) => boolean,
): FunctionComponent<Props> =>
  function Memo(this: Component<Props>, props: Props) {
    this.shouldComponentUpdate = (next) => !isSame(this.props as Props, next as Props)
    return draw(props)
  } as FunctionComponent<Props>
