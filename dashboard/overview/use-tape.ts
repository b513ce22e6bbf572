import { useLayoutEffect, useState } from 'preact/hooks'
import type { StreamEvent } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'

export type TapeSwap = Extract<StreamEvent, { topic: 'swap' }>['data']

const swapsMax = 6
/** Of so many pools the latest swaps are asked for, to begin with. */
const seedPools = 3
/** From then on the stream tells of them. */
const seedSeconds = 3600

const nameOf = ({ txHash, logIndex }: TapeSwap): string => `${txHash} ${logIndex}`

/** Newest first, each once. */
const merge = (one: readonly TapeSwap[], other: readonly TapeSwap[]): readonly TapeSwap[] => {
  const byName = new Map([...one, ...other].map((swap) => [nameOf(swap), swap]))
  const newest = (a: TapeSwap, b: TapeSwap) => b.block - a.block || b.logIndex - a.logIndex
  return [...byName.values()].toSorted(newest).slice(0, swapsMax)
}

const seed = async (signal: AbortSignal): Promise<readonly TapeSwap[]> => {
  const { items } = await api.pools({ sort: 'lastSwap', limit: seedPools }, { signal })
  const details = await Promise.all(
    items.map(({ id }) => api.pool(id, { range: '1h' }, { signal })),
  )
  return details.flatMap(({ pool, swaps }) =>
    swaps.map((swap) => ({ ...swap, poolId: pool.id, stockSymbol: pool.stockSymbol })),
  )
}

/** The latest swaps of all pools; `hear` takes what the stream says. */
export const useTape = () => {
  const [swaps, setSwaps] = useState<readonly TapeSwap[]>([])
  const { value, waiting, again } = useAnswer({ key: 'tape', ask: seed, everySeconds: seedSeconds })
  // Not a moment later: between the two the tape would say that there is none.
  useLayoutEffect(() => setSwaps((known) => merge(known, value ?? [])), [value])
  const hear = (event: StreamEvent): void => {
    if (event.topic === 'swap') setSwaps((known) => merge([event.data], known))
    if (event.topic === 'resync' && event.data.reason === 'another_chain') {
      setSwaps([])
      again()
    }
    if (event.topic !== 'rollback') return
    const { afterBlock } = event.data
    setSwaps((known) => known.filter(({ block }) => afterBlock !== null && block <= afterBlock))
  }
  return { swaps, waiting, hear }
}
