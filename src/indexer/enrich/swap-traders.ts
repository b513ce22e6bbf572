import type { Address, Hash } from '../../domain/units.ts'
import type { MinedTransaction, ReadSenders } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { SwapTransaction } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'

/** Rows of one read of the store. */
const pageRows = 500
/** Transactions of one request, of which each step sends one. */
const batchMax = 100
/** Realtime sync and its requests come first. */
const requestWaitMs = 1000
const faultWaitMs = 60_000
/** While the index catches up, or nothing is missing. */
const idleWaitMs = 5000
/** Between pages that lack nothing. */
const pageWaitMs = 20
/** Searches and repairs add swaps of any age, and nodes that lagged know more. */
const passSeconds = 3600

/** Reads who sent the transactions of swaps (methodology §7). */
export type SwapTraders = { readonly step: () => Promise<StepResult> }

const isMissing = ({ trader }: SwapTransaction): boolean => trader === null

type Mined = Pick<SwapTransaction, 'block' | 'txHash'>

/** After a reorg the same transaction may be in another block, where it is asked for again. */
const keyOf = ({ block, txHash }: Mined): string => `${block} ${txHash}`

/** Each transaction once; it may hold several swaps. */
const transactionsOf = (rows: readonly SwapTransaction[]): readonly MinedTransaction[] => [
  ...new Map(rows.map(({ txHash, block }) => [txHash, { txHash, block }])).values(),
]

/**
 * Each step takes the newest swaps, and if they lack nothing the next ones of a pass to the oldest.
 * All of its state is in the rows: a restart begins another pass.
 */
export const createSwapTraders = (deps: {
  readonly readSenders: ReadSenders
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
}): SwapTraders => {
  const { readSenders, store, clock, logger } = deps
  /** The last row of the pass; null: it begins below the newest swaps. */
  let position: SwapTransaction | null = null
  let passEndedTs: number | null = null
  /** Transactions of the newest swaps, and of the page, that no node knew in this pass. */
  let unanswered: ReadonlySet<string> = new Set()

  /** False if the request failed. */
  const readTraders = async (rows: readonly SwapTransaction[]): Promise<boolean> => {
    const transactions = transactionsOf(rows).slice(0, batchMax)
    const read = await readSenders(transactions)
    if (!read.ok) {
      logger.warn('Failed to read the traders of swaps, will retry', read.fault)
      return false
    }
    const senders = new Map<Hash, Address>()
    const unknown = new Set(unanswered)
    for (const [i, transaction] of transactions.entries()) {
      const sender = read.value[i] ?? null
      if (sender === null) unknown.add(keyOf(transaction))
      else senders.set(transaction.txHash, sender)
    }
    unanswered = unknown
    const found = rows.flatMap((row) => {
      const trader = senders.get(row.txHash)
      return trader === undefined ? [] : [{ ...row, trader }]
    })
    if (found.length > 0) await store.recordTraders(found)
    return true
  }

  const isOpen = (row: SwapTransaction): boolean => isMissing(row) && !unanswered.has(keyOf(row))

  /** The open rows of the next page of the pass; a page without one moves the pass on. */
  const readPast = async (newest: readonly SwapTransaction[]): Promise<typeof newest> => {
    const last = position ?? newest.at(-1) ?? null
    const page = last === null ? [] : await store.readSwapTransactions(last, pageRows)
    const open = page.filter(isOpen)
    if (open.length > 0) return open
    position = page.at(-1) ?? null
    // Of the pages that are done none is asked for again in this pass.
    const asked = newest.map(keyOf).filter((key) => unanswered.has(key))
    unanswered = new Set(asked)
    if (position === null) passEndedTs = clock.now()
    return []
  }

  const beginPassIfDue = (): void => {
    if (passEndedTs === null || clock.now() - passEndedTs < passSeconds) return
    passEndedTs = null
    unanswered = new Set()
  }

  return {
    step: async () => {
      const header = await store.snapshot((snapshot) => snapshot.header())
      if (header?.progress.phase !== 'done') return { waitMs: idleWaitMs }
      beginPassIfDue()
      const newest = await store.readSwapTransactions(null, pageRows)
      const open = newest.filter(isOpen)
      // More may have come than fit the page: the pass begins below it.
      if (open.length > 0 && newest.every(isMissing)) position = passEndedTs = null
      const isFull = transactionsOf(open).length >= batchMax
      // New swaps never end on a busy chain: what they leave of a request is for the past.
      const past = isFull || passEndedTs !== null ? [] : await readPast(newest)
      const rows = [...open, ...past]
      if (rows.length > 0) {
        return { waitMs: (await readTraders(rows)) ? requestWaitMs : faultWaitMs }
      }
      return { waitMs: passEndedTs === null ? pageWaitMs : idleWaitMs }
    },
  }
}
