import type { FunctionComponent, VNode } from 'preact'
import { useRef } from 'preact/hooks'

/**
 * A component that keeps what it drew while its properties mean the same: Preact leaves a node
 * alone that is the very one of the last time.
 */
export const memo = <Props>(
  draw: (props: Props) => VNode,
  isSame: (before: Props, after: Props) => boolean,
): FunctionComponent<Props> =>
  function Memo(props) {
    const last = useRef<{ readonly props: Props; readonly drawn: VNode } | null>(null)
    if (last.current === null || !isSame(last.current.props, props)) {
      last.current = { props, drawn: draw(props) }
    }
    return last.current.drawn
  }
