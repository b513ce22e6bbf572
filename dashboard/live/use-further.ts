import { useEffect, useRef, useState } from 'preact/hooks'

export type FurtherState = 'idle' | 'loading' | 'failed'

/** Reads the next part of a list, one request at a time; `stop` forgets the one under way. */
export const useFurther = <At>(
  key: string,
  read: (at: At, signal: AbortSignal) => Promise<void>,
) => {
  const [state, setState] = useState<FurtherState>('idle')
  const running = useRef<AbortController | null>(null)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setState('idle')
  }
  useEffect(() => stop, [key])
  const load = async (at: At): Promise<void> => {
    if (running.current !== null) return
    const own = new AbortController()
    running.current = own
    setState('loading')
    const state = await read(at, own.signal).then(
      () => 'idle' as const,
      () => 'failed' as const,
    )
    if (own.signal.aborted) return
    running.current = null
    setState(state)
  }
  return { state, load, stop }
}
