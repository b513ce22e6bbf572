import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { SourceView } from '../../domain/status/source-state.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ChangeEvent, ChangeListener, ResyncChange } from '../changes.ts'
import { changedNumbers, getByNumber } from '../model/chunked-table.ts'
import { isUnchangedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { viewOfPool } from '../queries/details.ts'
import { endOfBlock, type StreamPosition } from '../stream-position.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import { createEmptyPoolChanges } from './empty-pool-changes.ts'
import { compareHistory } from './history.ts'
import { positionOf, positionsIn } from './model-positions.ts'
import { readSwapEvents, toSubject } from './swap-events.ts'

/** Detects changes between two store reads. */
type ChangeDetector = {
  /** Reads the swaps since the last call. The snapshot must be the one of the model. */
  readonly collectSwaps: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  /** Returns the changes since the last call (none on the first one) and where they lead. */
  readonly detectChanges: (
    market: ValuedMarket,
    sources: readonly SourceView[],
  ) => {
    readonly events: readonly ChangeEvent[]
    readonly position: StreamPosition | null
    readonly hasGap: boolean
  }
}

/**
 * Limits per store read, a fraction of a second after the one before. Above them, as while the
 * index catches up, subscribers read swaps from the store, and refetch pools.
 */
const changesMax = { pools: 500, swaps: 500 }
/** Limits how often subscribers refetch while changes stay above the limits. */
const resyncSecondsMin = 5

type PoolChanges = {
  readonly changed: readonly PoolNumber[]
  /** Whether swaps of earlier blocks are listed now, or no longer. */
  readonly isPastChanged: boolean
}

const comparePools = (before: ReadModel, after: ReadModel): PoolChanges => {
  const cursorBlock = before.header.cursor?.block ?? -1
  // A branch replacement adds and removes pools with their swaps, which have events.
  const isSameBranch = before.header.epoch === after.header.epoch
  const changed: PoolNumber[] = []
  let isPastChanged = false
  for (const number of changedNumbers(before.pools, after.pools)) {
    const [old, pool] = [getByNumber(before.pools, number), getByNumber(after.pools, number)]
    const hadSwaps = pool !== undefined && pool.lastSwapTs !== null
    const isLate = old === undefined && hadSwaps && pool.createdBlock <= cursorBlock
    if (isSameBranch && (pool === undefined || isLate)) isPastChanged = true
    // A swap that leaves a volume window is not a change event.
    if (pool !== undefined && (old === undefined || !isUnchangedPool(pool, old)))
      changed.push(number)
  }
  return { changed, isPastChanged }
}

type ResyncReason = ResyncChange['reason']

const resyncEvent = (reason: ResyncReason): ChangeEvent => ({
  topic: 'resync',
  data: { reason },
  about: null,
})

/** Schedules `resync` events, which replace all pool and swap events until they are sent. */
const createResync = () => {
  let pending: ResyncReason | null = null
  let sentTs = Number.NEGATIVE_INFINITY
  return {
    request: (reason: ResyncReason) => {
      pending ??= reason
    },
    isPending: () => pending !== null,
    takeDue: (now: UnixSeconds): readonly ChangeEvent[] => {
      // A clock that was set back must not hold it up.
      const isSoon = now >= sentTs && now - sentTs < resyncSecondsMin
      if (pending === null || isSoon) return []
      const reason = pending
      pending = null
      sentTs = now
      return [resyncEvent(reason)]
    },
  }
}

/** A subscriber of what is left stays where it was. */
const withoutSwaps = (
  events: readonly ChangeEvent[],
  position: StreamPosition | null,
): readonly ChangeEvent[] =>
  events
    .filter(({ topic }) => topic !== 'swap')
    .map((event): ChangeEvent => ({ ...event, position }))

/** Returns the rows whose text changed since the last call; none on the first one. */
const createRowComparison = <Row>(keyOf: (row: Row) => string, textOf: (row: Row) => string) => {
  let latest: ReadonlyMap<string, string> | null = null
  return (rows: readonly Row[]): readonly Row[] => {
    const before = latest
    const texts = new Map(rows.map((row) => [keyOf(row), textOf(row)]))
    latest = texts
    if (before === null) return []
    return rows.filter((row) => before.get(keyOf(row)) !== texts.get(keyOf(row)))
  }
}

type DetectorDeps = {
  /** What subscribers know already; null: nothing. */
  readonly baseline: ReadModel | null
  readonly hasOneCopy: boolean
}

const createChangeDetector = ({ baseline, hasOneCopy }: DetectorDeps): ChangeDetector => {
  const changedStocks = createRowComparison<ReturnType<ValuedMarket['stocks']>[number]>(
    ({ address }) => address,
    (stock) => JSON.stringify(stock),
  )
  const changedSources = createRowComparison<SourceView>(
    ({ source }) => source,
    ({ state, lastError }) => `${state} ${lastError}`,
  )
  let collected = baseline
  let compared = baseline
  /** Stays while a `resync` is pending, which replaces events above it. */
  let position = baseline === null ? null : positionOf(baseline)
  let hasGap = false
  /** Swaps and what ends their validity, in order. */
  let chainEvents: readonly ChangeEvent[] = []
  const resync = createResync()
  const empties = createEmptyPoolChanges(changesMax.pools, baseline?.empties ?? null)

  const emptyPoolEvents = (market: ValuedMarket): readonly ChangeEvent[] =>
    empties.take().map((pool) => {
      const about = toSubject(pool, market.model)
      return { topic: 'pool', data: viewOfPool(pool, market.inputs), about }
    })

  /** Throws before it changes anything. */
  const collectSince = async (before: ReadModel, snapshot: StoreSnapshot, model: ReadModel) => {
    const { header } = model
    const step = await compareHistory(snapshot, before, { header, hasOneCopy })
    if (step.kind === 'another-chain') {
      chainEvents = [resyncEvent('another_chain')]
      return
    }
    if (step.kind === 'unknown') {
      resync.request(step.isLoss ? 'events_missed' : 'too_many_changes')
      return
    }
    const { since } = step
    const hasNew = (header.cursor?.block ?? -1) > since.block && !resync.isPending()
    const limits = { since, swapsMax: changesMax.swaps }
    const swaps = hasNew ? await readSwapEvents(snapshot, model, limits) : []
    if (swaps === null) hasGap = true
    if (hasGap) {
      chainEvents = []
      return
    }
    if (step.kind === 'replaced') {
      const data = { afterBlock: step.ancestor?.block ?? null, ts: header.cursor?.ts ?? 0 }
      const reached = positionsIn(model)(endOfBlock(since))
      const event = { topic: 'rollback', data, about: null, position: reached } as const
      chainEvents = [...chainEvents, event]
    }
    chainEvents = [...chainEvents, ...(swaps ?? [])]
  }

  const detectPoolChanges = (market: ValuedMarket): readonly ChangeEvent[] => {
    const before = compared
    compared = market.model
    const added = emptyPoolEvents(market)
    if (before === null) return []
    const { changed, isPastChanged } = comparePools(before, market.model)
    const areTooMany = changed.length > changesMax.pools
    if (isPastChanged || (areTooMany && !hasGap)) resync.request('too_many_changes')
    if (resync.isPending() || areTooMany) return []
    const events = changed.flatMap((number): ChangeEvent[] => {
      const row = getByNumber(market.rows, number)
      if (row === undefined) return []
      const about = toSubject(row.pool, market.model)
      return [{ topic: 'pool', data: market.viewOf(row), about }]
    })
    return [...events, ...added]
  }

  return {
    collectSwaps: async (snapshot, model) => {
      if (collected !== null) await collectSince(collected, snapshot, model)
      collected = model
      if (!(await empties.collect(snapshot, model))) resync.request('too_many_changes')
    },
    detectChanges: (market, sources) => {
      const pools = detectPoolChanges(market)
      const isCovered = resync.isPending()
      const ofChain = isCovered ? withoutSwaps(chainEvents, position) : chainEvents
      const due = resync.takeDue(market.inputs.context.now)
      const changes: ChangeEvent[] = [...ofChain, ...due, ...pools]
      if (!resync.isPending() && collected !== null) position = positionOf(collected)
      const isSkipped = hasGap && !isCovered
      hasGap = false
      chainEvents = []
      for (const data of changedStocks(market.stocks())) {
        const about = { symbols: [data.symbol.toUpperCase()], poolId: null }
        changes.push({ topic: 'stock', data, about })
      }
      for (const data of changedSources(sources)) {
        changes.push({ topic: 'source', data, about: null })
      }
      return { events: changes, position, hasGap: isSkipped }
    },
  }
}

/** Sends change events to listeners. Detects none while there is no listener. */
export type Subscribers = {
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: ChangeListener) => () => void
  readonly collectSwaps: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  readonly publish: (market: ValuedMarket, sources: () => readonly SourceView[]) => void
}

export const createSubscribers = ({
  logger,
  hasOneCopy,
  currentModel,
}: {
  readonly logger: Logger
  readonly hasOneCopy: boolean
  readonly currentModel: () => ReadModel | null
}): Subscribers => {
  const listeners = new Set<ChangeListener>()
  let detector: ChangeDetector | null = null

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      detector ??= createChangeDetector({ baseline: currentModel(), hasOneCopy })
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) detector = null
      }
    },
    collectSwaps: async (snapshot, model) => detector?.collectSwaps(snapshot, model),
    publish: (market, sources) => {
      if (detector === null) return
      const { events, position, hasGap } = detector.detectChanges(market, sources())
      for (const listener of listeners) {
        try {
          listener(events, position, hasGap)
        } catch (error) {
          logger.error('Change listener failed', { error })
        }
      }
    },
  }
}
