import { bucketStart } from '../domain/series/series-range.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { Logger } from '../ports/runtime.ts'
import { type Loop, type StepResult, startLoop } from '../util/loop.ts'
import type { IndexerParts } from './compose.ts'
import type { IndexerDeps } from './deps.ts'
import { waitForChain } from './state/startup.ts'

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

/** A step that throws is a fault of ours, of which the log knows the loop. */
const createLoops =
  (logger: Logger) =>
  (name: string, step: () => Promise<StepResult>, options: { readonly gatherMs?: number } = {}) =>
    startLoop(step, {
      ...options,
      onError: (error) =>
        logger.error(`${name}: a step failed unexpectedly`, { cause: String(error) }),
    })

type StartLoop = ReturnType<typeof createLoops>

/** Reads what contracts, stocks and tokens say of themselves; logs that change it wake it. */
const startReaders = (loop: StartLoop, parts: IndexerParts): readonly Loop[] => {
  const { contracts, stocks, feeds, tokens, wanted, events } = parts

  const readStocks = async (): Promise<StepResult> => {
    await contracts.refresh()
    const isRead = (await stocks.refresh()) && (await feeds.refresh())
    for (const { address } of wanted()) tokens.request(address)
    return { waitMs: isRead ? stocksWaitMs : tokensWaitMs }
  }
  const readTokens = async (): Promise<StepResult> => {
    await tokens.refresh()
    return { waitMs: tokensWaitMs }
  }
  const stocksLoop = loop('stocks', readStocks)
  const tokensLoop = loop('tokens', readTokens, { gatherMs: tokensGatherMs })

  events.on('poolLoaded', tokensLoop.wake)
  events.on('poolsDiscovered', tokensLoop.wake)
  events.on('rangeIngested', ({ pools }, stockLogs) => {
    if (pools.length > 0) tokensLoop.wake()
    if (stockLogs.some((log) => stocks.get(log.address) !== undefined)) stocksLoop.wake()
  })
  return [stocksLoop, tokensLoop]
}

/** The loops that run once everything is prepared. */
const startPrepared = (
  { store, historyDays }: IndexerDeps,
  parts: IndexerParts,
  loop: StartLoop,
): readonly Loop[] => {
  const { index, follow, history, check, fallback } = parts

  const prune = async (): Promise<StepResult> => {
    // By the chain's time: a chain that stands still keeps its last days.
    const nowTs = index.cursor()?.ts
    if (nowTs === undefined) return { waitMs: pruneFirstWaitMs }
    // Whole days, so that a day whose swaps are counted anew still has all of them.
    const beforeTs = bucketStart(nowTs - historyDays * secondsPerDay, secondsPerDay)
    await store.prune({ swapsBeforeTs: beforeTs, minuteRowsBeforeTs: beforeTs })
    return { waitMs: pruneWaitMs }
  }
  return [
    ...startReaders(loop, parts),
    loop('prune', prune),
    loop('follow', follow),
    loop('history', history),
    loop('check', check),
    loop('fallback', fallback),
  ]
}

/**
 * Starts the loops: prices and ages go on while the chain is waited for, everything else begins
 * once it has answered.
 */
export const startScheduler = (
  deps: IndexerDeps,
  parts: IndexerParts,
  startedTs: UnixSeconds,
): { readonly stop: () => Promise<void> } => {
  const { logger, onRefused } = deps
  const loop = createLoops(logger)
  let prepared: readonly Loop[] = []
  const enrich = loop('enrich', parts.enrich)

  const prepareOnce = async (): Promise<StepResult> => {
    const outcome = await waitForChain(deps, parts, startedTs)
    if (outcome.kind === 'wait') return { waitMs: prepareWaitMs }
    if (outcome.kind === 'refused') {
      // Nothing more is written to a store of another chain.
      await enrich.stop()
      onRefused(outcome.reason)
    } else prepared = startPrepared(deps, parts, loop)
    return { waitMs: null }
  }
  const first = [loop('prepare', prepareOnce), enrich]
  return {
    stop: async () => {
      await Promise.all(first.map((each) => each.stop()))
      await Promise.all(prepared.map((each) => each.stop()))
    },
  }
}
