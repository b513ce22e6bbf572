import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { StreamEvent } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'

export type TapeSwap = Extract<StreamEvent, { topic: 'swap' }>['data']

const swapsMax = 6
/** Afterwards the stream delivers them. */
const seedSeconds = 3600

const swapKey = ({ txHash, logIndex }: TapeSwap): string => `${txHash} ${logIndex}`

/** Merges swaps, newest first, without duplicates. */
const merge = (one: readonly TapeSwap[], other: readonly TapeSwap[]): readonly TapeSwap[] => {
  const byKey = new Map([...one, ...other].map((swap) => [swapKey(swap), swap]))
  const newest = (a: TapeSwap, b: TapeSwap) => b.block - a.block || b.logIndex - a.logIndex
  return [...byKey.values()].toSorted(newest).slice(0, swapsMax)
}

const loadSeed = async (signal: AbortSignal): Promise<readonly TapeSwap[]> =>
  (await api.allSwaps({ limit: swapsMax }, { signal })).items

/** The latest swaps of all pools; `onEvent` accepts stream events. */
export const useTape = () => {
  const [swaps, setSwaps] = useState<readonly TapeSwap[]>([])
  /** The swaps since a resync, which the next response completes; null: none is awaited. */
  const sinceResync = useRef<readonly TapeSwap[] | null>(null)
  const { value, waiting, again } = useAnswer({
    key: 'tape',
    ask: loadSeed,
    everySeconds: seedSeconds,
  })
  // A layout effect, so that no frame shows an empty tape.
  useLayoutEffect(() => {
    const fresh = sinceResync.current
    sinceResync.current = null
    setSwaps((known) => merge(fresh ?? known, value ?? []))
  }, [value])
  const onEvent = (event: StreamEvent): void => {
    const fresh = sinceResync.current
    if (event.topic === 'swap') {
      if (fresh !== null) sinceResync.current = merge([event.data], fresh)
      setSwaps((known) => merge([event.data], known))
    }
    if (event.topic === 'resync') {
      // Any known swap may be gone; those of another chain are.
      sinceResync.current = []
      if (event.data.reason === 'another_chain') setSwaps([])
      again()
    }
    if (event.topic !== 'rollback') return
    const { afterBlock } = event.data
    const isKept = ({ block }: TapeSwap) => afterBlock !== null && block <= afterBlock
    if (fresh !== null) sinceResync.current = fresh.filter(isKept)
    setSwaps((known) => known.filter(isKept))
  }
  return { swaps, waiting, onEvent }
}
