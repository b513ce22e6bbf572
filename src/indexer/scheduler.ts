import { multiplierMaxAgeSeconds } from '../domain/status/freshness.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { Logger } from '../ports/runtime.ts'
import { type Loop, type StepResult, startLoop } from '../util/loop.ts'
import { keptSinceTs } from './backfill-window.ts'
import type { IndexerParts } from './compose.ts'
import type { IndexerDeps } from './deps.ts'
import { waitForChain } from './startup.ts'

/** Delay between attempts to reach the chain at startup. */
const startupWaitMs = 2000
/** A minute: four lost reads in a row make a multiplier old. Their logs wake the loop, too. */
const stocksWaitMs = (multiplierMaxAgeSeconds / 5) * 1000
/** New tokens wake the loop; this retries those that could not be read. */
const tokensWaitMs = 10_000
/** During catch-up every range has new tokens: they share a request. */
const tokensGatherMs = 500
const pruneWaitMs = 3_600_000
/** Delay while there is no cursor. */
const pruneEmptyWaitMs = 10_000

/** A step that throws is a bug; the log names its loop. */
const createLoopStarter =
  (logger: Logger) =>
  (name: string, step: () => Promise<StepResult>, options: { readonly gatherMs?: number } = {}) =>
    startLoop(step, {
      ...options,
      onError: (error) =>
        logger.error(`Unexpected error in the ${name} loop`, { cause: String(error) }),
    })

type StartLoop = ReturnType<typeof createLoopStarter>

/** Reads contracts, stocks, feeds and tokens; logs that change them wake the loops. */
const startTokenLoops = (start: StartLoop, parts: IndexerParts): readonly Loop[] => {
  const { contracts, stocks, feeds, tokens, wanted, events } = parts

  const stocksLoop = start('stocks', async () => {
    await contracts.refresh()
    const isRead = (await stocks.refresh()) && (await feeds.refresh())
    for (const { address } of wanted()) tokens.request(address)
    return { waitMs: isRead ? stocksWaitMs : tokensWaitMs }
  })
  const readTokens = async (): Promise<StepResult> => {
    await tokens.refresh()
    return { waitMs: tokensWaitMs }
  }
  const tokensLoop = start('tokens', readTokens, { gatherMs: tokensGatherMs })

  events.on('poolLoaded', tokensLoop.wake)
  events.on('poolsDiscovered', tokensLoop.wake)
  events.on('rangeIngested', ({ pools }, stockLogs) => {
    if (pools.length > 0) tokensLoop.wake()
    if (stockLogs.some((log) => stocks.get(log.address) !== undefined)) stocksLoop.wake()
  })
  return [stocksLoop, tokensLoop]
}

/** The loops that require an answering chain. */
const startChainLoops = (
  { store, historyDays }: IndexerDeps,
  parts: IndexerParts,
  start: StartLoop,
): readonly Loop[] => {
  const prune = async (): Promise<StepResult> => {
    // By block time, so that a halted chain keeps its last days.
    const nowTs = parts.index.cursor()?.ts
    if (nowTs === undefined) return { waitMs: pruneEmptyWaitMs }
    const beforeTs = keptSinceTs(nowTs, historyDays)
    await store.prune({ swapsBeforeTs: beforeTs, minuteRowsBeforeTs: beforeTs })
    return { waitMs: pruneWaitMs }
  }
  return [
    ...startTokenLoops(start, parts),
    start('prune', prune),
    start('realtime', parts.realtimeStep),
    start('backfill', parts.backfillStep),
    start('rebuild', parts.rebuildStep),
    start('state check', parts.stateCheckStep),
    start('coverage audit', parts.coverageAuditStep),
    start('venue audit', parts.venueAuditStep),
    start('external reserves', parts.externalReservesStep),
    ...(parts.tradersStep === null ? [] : [start('traders', parts.tradersStep)]),
  ]
}

/** Starts enrichment at once and every other loop after the chain has answered. */
export const startScheduler = (
  deps: IndexerDeps,
  parts: IndexerParts,
  startedTs: UnixSeconds,
): { readonly stop: () => Promise<void> } => {
  const { logger, onRefused } = deps
  const start = createLoopStarter(logger)
  let chainLoops: readonly Loop[] = []
  const enrichmentLoop = start('enrichment', parts.enrichStep)

  const startupLoop = start('startup', async () => {
    const result = await waitForChain(deps, parts, startedTs)
    if (result.kind === 'wait') return { waitMs: startupWaitMs }
    if (result.kind === 'refused') {
      // Nothing may be written to the store of another chain.
      await enrichmentLoop.stop()
      onRefused(result.reason)
    } else chainLoops = startChainLoops(deps, parts, start)
    return { waitMs: null }
  })
  return {
    stop: async () => {
      await Promise.all([startupLoop.stop(), enrichmentLoop.stop()])
      await Promise.all(chainLoops.map((loop) => loop.stop()))
    },
  }
}
