import type { IndexHeader } from '../../../src/ports/store-batches.ts'
import type { CrashChain } from './crash-chain.ts'
import { confirmations } from './crash-network.ts'

/** What the chain does once the index has reached a state. */
type Scene = {
  readonly isDue: (header: IndexHeader) => boolean
  readonly happens: () => void
}

/** Receives the last write and the header after it; returns true at the end. */
export type Plot = (header: IndexHeader | null, work: string) => boolean

/**
 * A chain that waits for its index, so that every kind of write comes to pass however often the
 * index is killed:
 *
 *     a past of days, read by its pools ─ a day of growth ─ a minute of it ─ another head in the
 *     place of the last ─ a fork below the indexed block ─ finality in the middle of it ─
 *     growth ─ finality
 *
 * With `trouble` contracts misstate their liquidity until a pool was rebuilt for it, and the end of
 * the past is replaced while it is read; without, it was before.
 */
export const createPlot = (world: CrashChain, { trouble }: { readonly trouble: boolean }): Plot => {
  const { chain } = world
  const confirmed = () => chain.head() - confirmations
  const isThere = ({ cursor }: IndexHeader): boolean =>
    cursor?.hash === chain.anchor(confirmed())?.hash
  const isSettled = ({ finalizedCursor }: IndexHeader): boolean =>
    finalizedCursor?.block === chain.finalBlock()
  const isFilled = ({ backfillCursor }: IndexHeader): boolean =>
    backfillCursor === null || backfillCursor.completeAfter.block < backfillCursor.firstBlock
  const isRebuilt = (): boolean => !world.isLying()
  const isHeadKnown = ({ head }: IndexHeader): boolean =>
    head?.hash === chain.headBlock().anchor.hash
  const fork = (depth: number, blocks: number): void => {
    chain.fork(depth)
    world.grow(blocks, 60)
  }
  const scenes: Scene[] = [
    {
      isDue: isThere,
      happens: () => world.lie(trouble),
    },
    {
      isDue: (header) => isThere(header) && isFilled(header) && isRebuilt(),
      happens: () => world.grow(10, 20_000),
    },
    { isDue: isThere, happens: () => world.grow(12, 60) },
    { isDue: isThere, happens: () => fork(1, 1) },
    { isDue: (header) => isThere(header) && isHeadKnown(header), happens: () => fork(8, 11) },
    { isDue: isThere, happens: () => chain.finalise(chain.head() - 4) },
    { isDue: isSettled, happens: () => world.grow(4, 4000) },
    { isDue: isThere, happens: () => chain.finalise(confirmed()) },
  ]
  let isPastReplaced = false
  const replacePast = (): void => {
    fork(confirmations + 2, confirmations + 3)
    isPastReplaced = true
  }
  const isUnderWay = ({ cursor, progress }: IndexHeader): boolean =>
    cursor === null && (progress.phase !== 'discover' || progress.done > 0)
  if (!trouble) replacePast()
  return (header, work) => {
    if (work === 'replaceTickMap') world.lie(false)
    if (header === null) return false
    // Not at any other time: the index may stand on this block already.
    if (!isPastReplaced && work === 'open' && isUnderWay(header)) replacePast()
    while (scenes[0]?.isDue(header) === true) scenes.shift()?.happens()
    return scenes.length === 0 && isThere(header) && isSettled(header)
  }
}

/**
 * Nearly three days, of which one is the history; in the end seconds, so that no fork takes the
 * time far back and with it the limit of what is kept.
 */
export const growPast = (world: CrashChain): void => {
  world.grow(60, 8000)
  world.grow(4, 3)
}
