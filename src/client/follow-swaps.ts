import { isApiError } from './api-error.ts'
import type { StreamEvent, Swap, SwapStep } from './types.ts'

export type SwapSources = {
  /** The time of the first swap. */
  readonly readStart: () => Promise<number>
  /** Opens the stream; `onJoin` is called once no later swap can be missed. */
  readonly open: (
    onJoin: () => void,
    signal: AbortSignal,
  ) => AsyncGenerator<StreamEvent, void, undefined>
  /** The stored swaps of this time or later, oldest first. */
  readonly readSince: (from: number) => AsyncIterable<Swap>
  readonly readSettledBlock: () => Promise<number | null>
}

/** Streamed swaps between two looks at what has settled. */
const swapsPerLook = 1000

type Place = { readonly block: number; readonly ts: number }

const isReplaced = (error: unknown): boolean =>
  isApiError(error) && error.code === 'cursor_replaced'

/** Streamed swaps, without those that a read of the stored ones has yielded already. */
const createOverlap = () => {
  const blocks = new Map<string, number>()
  let newest = -1
  const keyOf = ({ txHash, logIndex }: Pick<Swap, 'txHash' | 'logIndex'>): string =>
    `${txHash} ${logIndex}`
  return {
    begin: (): void => {
      blocks.clear()
      newest = -1
    },
    add: (swap: Swap): void => {
      blocks.set(keyOf(swap), swap.block)
      newest = Math.max(newest, swap.block)
    },
    removeAbove: (block: number | null): void => {
      for (const [key, of] of blocks) if (block === null || of > block) blocks.delete(key)
    },
    /** Swaps come in chain order: behind the newest one read, none is double. */
    has: (swap: Parameters<typeof keyOf>[0] & { readonly block: number }): boolean => {
      if (swap.block > newest) blocks.clear()
      return blocks.has(keyOf(swap))
    },
  }
}

/** The last swap that stays, with all before it: where a follower begins again. */
const createAnchor = (readSettledBlock: SwapSources['readSettledBlock']) => {
  const state: { settled: Place | null; candidate: Place | null; untilLook: number } = {
    settled: null,
    candidate: null,
    untilLook: swapsPerLook,
  }
  return {
    place: (): Place | null => state.settled,
    settle: (place: Place): void => {
      state.settled = place
    },
    removeAbove: (block: number | null): void => {
      if (state.candidate !== null && state.candidate.block > (block ?? -1)) state.candidate = null
    },
    /** Sometimes looks whether an earlier swap has settled. */
    advance: async (newest: Place): Promise<void> => {
      state.untilLook -= 1
      if (state.untilLook > 0) return
      const { candidate } = state
      const block = await readSettledBlock()
      if (candidate !== null && block !== null && candidate.block <= block) {
        state.settled = candidate
      }
      state.candidate = newest
      state.untilLook = swapsPerLook
    },
  }
}

/**
 * Yields the swaps since a time and then each new one. Where the stream asks to fetch again, a
 * `rollback` to the last settled swap comes first, then all swaps above it.
 */
export async function* followSwaps({
  readStart,
  open,
  readSince,
  readSettledBlock,
}: SwapSources): AsyncGenerator<SwapStep, void, undefined> {
  const from = await readStart()
  const overlap = createOverlap()
  const anchor = createAnchor(readSettledBlock)

  const toAnchor = (): SwapStep => ({
    topic: 'rollback',
    data: { afterBlock: anchor.place()?.block ?? null },
  })

  const isBelowAnchor = ({ block }: Pick<Place, 'block'>): boolean =>
    block <= (anchor.place()?.block ?? -1)

  async function* readOnce(): AsyncGenerator<SwapStep, void, undefined> {
    const after = anchor.place()
    let last: Swap | null = null
    overlap.begin()
    for await (const swap of readSince(after?.ts ?? from)) {
      if (after !== null && swap.block <= after.block) continue
      // A page may end inside a block, and a block is complete when the next one begins.
      if (last?.settled && swap.block > last.block) anchor.settle(last)
      last = swap
      overlap.add(swap)
      yield { topic: 'swap', data: swap }
    }
    if (last?.settled) anchor.settle(last)
  }

  async function* yieldStored(): AsyncGenerator<SwapStep, void, undefined> {
    for (let isComplete = false; !isComplete; ) {
      try {
        yield* readOnce()
        isComplete = true
      } catch (error) {
        if (!isReplaced(error)) throw error
        yield toAnchor()
      }
    }
  }

  async function* stepsOf(event: StreamEvent): AsyncGenerator<SwapStep, void, undefined> {
    const { topic, data } = event
    if (topic === 'rollback') {
      // What has settled is not replaced: such an event is older than the last read.
      const settled = anchor.place()?.block ?? null
      const afterBlock = isBelowAnchor({ block: data.afterBlock ?? -1 }) ? settled : data.afterBlock
      overlap.removeAbove(afterBlock)
      anchor.removeAbove(afterBlock)
      yield { topic, data: { afterBlock } }
    } else if (topic === 'resync') {
      yield toAnchor()
      yield* yieldStored()
    } else if (topic === 'swap' && !isBelowAnchor(data) && !overlap.has(data)) {
      yield { topic, data }
      await anchor.advance(data)
    }
  }

  const joined = Promise.withResolvers<void>()
  const ending = new AbortController()
  const events = open(joined.resolve, ending.signal)
  try {
    const first = events.next()
    await Promise.race([joined.promise, first])
    yield* yieldStored()
    for (let next = await first; !next.done; next = await events.next()) yield* stepsOf(next.value)
  } finally {
    ending.abort()
  }
}
