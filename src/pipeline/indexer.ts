import { bucketStart } from '../domain/series/ranges.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { Logger } from '../ports/process.ts'
import { type Loop, type StepResult, startLoop } from '../util/loop.ts'
import type { IndexerDeps } from './deps.ts'
import { assembleParts, type Parts } from './parts.ts'
import { claimStore, prepare, readBefore, recordDisabled, restore } from './prepare.ts'

export type Indexer = { readonly stop: () => Promise<void> }

/** A chain that does not answer yet is asked again this often. */
const prepareWaitMs = 2000
/** Multipliers change a few times a day, and their announcements wake the loop anyway. */
const stocksWaitMs = 60_000
/** New tokens wake the loop; this is for those that could not be read at once. */
const tokensWaitMs = 10_000
/** While a chain is caught up with, every range brings some: a request for each would be many. */
const tokensGatherMs = 500
const pruneWaitMs = 3_600_000
/** Until there is a block to reckon from. */
const pruneFirstWaitMs = 10_000

const createLoops =
  (logger: Logger) =>
  (name: string, step: () => Promise<StepResult>, options: { readonly gatherMs?: number } = {}) =>
    startLoop(step, {
      ...options,
      onError: (error) =>
        logger.error(`${name}: a step failed unexpectedly`, { cause: String(error) }),
    })

/** The loops that run once everything is prepared, and the two that logs can wake. */
const startWork = ({ store, logger, historyDays }: IndexerDeps, parts: Parts) => {
  const loop = createLoops(logger)
  const stocks = loop('stocks', async () => {
    await parts.contracts.refresh()
    const isRead = (await parts.stocks.refresh()) && (await parts.feeds.refresh())
    for (const { address } of parts.wanted()) parts.tokens.want(address)
    return { waitMs: isRead ? stocksWaitMs : tokensWaitMs }
  })
  const readTokens = async (): Promise<StepResult> => {
    await parts.tokens.refresh()
    return { waitMs: tokensWaitMs }
  }
  const tokens = loop('tokens', readTokens, { gatherMs: tokensGatherMs })
  const prune = loop('prune', async () => {
    // By the chain's time: a chain that stands still keeps its last days.
    const nowTs = parts.index.indexed()?.ts
    if (nowTs === undefined) return { waitMs: pruneFirstWaitMs }
    // Whole days, so that a day whose swaps are counted anew still has all of them.
    const beforeTs = bucketStart(nowTs - historyDays * secondsPerDay, secondsPerDay)
    await store.prune({ swapsBeforeTs: beforeTs, minuteRowsBeforeTs: beforeTs })
    return { waitMs: pruneWaitMs }
  })
  const rest = [
    loop('follow', parts.follow),
    loop('history', parts.history),
    loop('check', parts.check),
    loop('fallback', parts.fallback),
  ]
  return { stocks, tokens, all: [stocks, tokens, prune, ...rest] }
}

/**
 * Runs the index: takes up where the store was left, and follows the chain. A chain that does not
 * answer is waited for; a store of another chain is refused.
 */
export const startIndexer = async (deps: IndexerDeps): Promise<Indexer> => {
  const { clock, logger, onRefused } = deps
  const startedTs = clock.now()
  const refused = await claimStore(deps, { originHash: null, startedTs })
  if (refused !== null) {
    onRefused(refused)
    return { stop: async () => {} }
  }
  await recordDisabled(deps)
  let work: ReturnType<typeof startWork> | null = null
  const wakers = {
    stocks: () => work?.stocks.wake(),
    tokens: () => work?.tokens.wake(),
  }
  const parts = assembleParts(deps, await readBefore(deps), wakers)
  await restore(deps, parts)
  const loop = createLoops(logger)
  // Prices and ages go on while the chain is waited for.
  const enrich = loop('enrich', parts.enrich)
  const preparing = async (): Promise<StepResult> => {
    const prepared = await prepare(deps, parts, startedTs)
    if (prepared.kind === 'wait') return { waitMs: prepareWaitMs }
    if (prepared.kind === 'refused') {
      // Nothing more is written to a store of another chain.
      await enrich.stop()
      onRefused(prepared.reason)
    } else work = startWork(deps, parts)
    return { waitMs: null }
  }
  const first: readonly Loop[] = [loop('prepare', preparing), enrich]
  return {
    stop: async () => {
      await Promise.all(first.map((loop) => loop.stop()))
      await Promise.all((work?.all ?? []).map((loop) => loop.stop()))
    },
  }
}
