import type { HistoryPage, StreamEvent } from '../../src/client/types.ts'

/*
 * The swaps that a page has loaded: a contiguous part of the list of the API, of bounded length.
 *
 *   newest ... [ rows[0] ... rows[n] ] ... oldest
 *          newer                    older
 *
 * While nothing is newer the rows are live: those of the stream come first. Reading far back lets
 * go of the newest rows, and they are asked for again on the way back.
 */

/** A swap as the stream has it; pages have further fields. */
export type Swap = Extract<StreamEvent, { topic: 'swap' }>['data']

/** Maximum rows of a list, in bytes about one million. */
export const rowsMax = 1000

/** How a list continues: behind a page's last row, or at a time. */
export type Continuation = { readonly cursor: string } | { readonly ts: number }

export type SwapList = {
  /** Newest first. */
  readonly rows: readonly Swap[]
  /** Null at the end. */
  readonly older: Continuation | null
  /** Why there are no older ones; meaningless while there are. */
  readonly end: 'first' | 'not-kept'
  /** Null while the rows are live. */
  readonly newer: Continuation | null
}

export type SwapFilter = { readonly side: 'buy' | 'sell' | null; readonly minUsd: number | null }

type Page = HistoryPage<Swap>

export const swapKey = ({ txHash, logIndex }: Pick<Swap, 'txHash' | 'logIndex'>): string =>
  `${txHash} ${logIndex}`

const continuationOf = (next: string | null): Continuation | null =>
  next === null ? null : { cursor: next }

const endOf = ({ complete }: Page): SwapList['end'] => (complete ? 'first' : 'not-kept')

export const listOf = (page: Page): SwapList => ({
  rows: page.items,
  older: continuationOf(page.next),
  end: endOf(page),
  newer: null,
})

/** Those that the list does not have. */
const unknownOf = ({ rows }: SwapList, swaps: readonly Swap[]): readonly Swap[] => {
  const known = new Set(rows.map(swapKey))
  return swaps.filter((swap) => !known.has(swapKey(swap)))
}

const withoutNewest = (list: SwapList): SwapList => {
  const rows = list.rows.slice(-rowsMax)
  const [first] = rows
  if (rows.length === list.rows.length || first === undefined) return list
  return { ...list, rows, newer: { ts: first.ts } }
}

const withoutOldest = (list: SwapList): SwapList => {
  const rows = list.rows.slice(0, rowsMax)
  const last = rows.at(-1)
  if (rows.length === list.rows.length || last === undefined) return list
  return { ...list, rows, older: { ts: last.ts } }
}

/** The list with the page behind its last row; lets go of the newest rows. */
export const withOlder = (list: SwapList, page: Page): SwapList =>
  withoutNewest({
    ...list,
    rows: [...list.rows, ...unknownOf(list, page.items)],
    older: continuationOf(page.next),
    end: endOf(page),
  })

/** The list with the page, oldest first, before its first row; lets go of the oldest rows. */
export const withNewer = (list: SwapList, page: Page): SwapList =>
  withoutOldest({
    ...list,
    rows: [...unknownOf(list, page.items).toReversed(), ...list.rows],
    newer: continuationOf(page.next),
  })

export const matches = ({ side, minUsd }: SwapFilter, swap: Swap): boolean =>
  (side === null || swap.side === side) &&
  (minUsd === null || (swap.amountUsd !== null && swap.amountUsd >= minUsd))

/**
 * The list with swaps of the stream, in chain order. A reader at the top keeps the newest rows, one
 * further down those around.
 */
export const withLive = (
  list: SwapList,
  swaps: readonly Swap[],
  { filter, isAtTop }: { readonly filter: SwapFilter; readonly isAtTop: boolean },
): SwapList => {
  if (list.newer !== null) return list
  const added = unknownOf(list, swaps).filter((swap) => matches(filter, swap))
  if (added.length === 0) return list
  const longer = { ...list, rows: [...added.toReversed(), ...list.rows] }
  return isAtTop ? withoutOldest(longer) : withoutNewest(longer)
}

/** The list without the swaps of replaced blocks; a cursor may name one of them. */
export const withoutAbove = (list: SwapList, afterBlock: number | null): SwapList => {
  const rows = list.rows.filter(({ block }) => afterBlock !== null && block <= afterBlock)
  const last = rows.at(-1)
  const older = list.older === null || last === undefined ? list.older : { ts: last.ts }
  return { ...list, rows, older }
}
