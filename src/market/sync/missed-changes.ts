import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { SourceView } from '../../domain/status/source-state.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ChangeEvent, MissedChanges } from '../changes.ts'
import type { Market } from '../market.ts'
import { getByNumber } from '../model/chunked-table.ts'
import type { ReadModel } from '../model/read-model.ts'
import { viewOfPool } from '../queries/details.ts'
import { listByNumber } from '../queries/list-empty-pools.ts'
import { comparePlaces, endOfBlock, lastLogIndex, type StreamPosition } from '../stream-position.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findResumePlace, type ResumePlace } from './find-resume-place.ts'
import { positionOf, positionsIn } from './model-positions.ts'
import type { StoreSync } from './store-sync.ts'
import { toSubject, toSwapEvents } from './swap-events.ts'

/** Of one step: a few milliseconds of work, and so much memory. */
const swapsMax = 200
const poolsMax = 200

/** The swaps and the changed pools behind one place, up to `end`. */
type MissedRange = {
  readonly swaps: readonly StoredSwap[]
  readonly pools: ReadonlySet<PoolNumber>
  readonly end: EventPlace
}

const readRange = async (
  snapshot: StoreSnapshot,
  after: EventPlace,
  last: EventPlace,
): Promise<MissedRange> => {
  const all = { pool: null, fromTs: null, toTs: null, order: 'asc' } as const
  const page = await snapshot.swapPage({ ...all, after, rowsMax: swapsMax })
  const rows = page.filter((row) => comparePlaces(row, last) <= 0)
  const isLast = page.length < swapsMax || rows.length < page.length
  const { block, logIndex, ts } = rows.at(-1) ?? last
  const whole = isLast ? last : { block, logIndex, ts }
  const touched = await snapshot.touchedPools({
    afterBlock: after.logIndex === lastLogIndex ? after.block : after.block - 1,
    toBlock: whole.block,
    rowsMax: poolsMax,
  })
  const cut = (touched.at(-1)?.block ?? 0) - 1
  // A single block may touch more pools: then those of the first rows are enough.
  const isCut = touched.length === poolsMax && cut > after.block && cut < whole.block
  const swaps = isCut ? rows.filter((row) => row.block <= cut) : rows
  const end = isCut ? endOfBlock({ block: cut, ts: swaps.at(-1)?.ts ?? after.ts }) : whole
  const changed = touched.filter((row) => row.block <= end.block)
  return { swaps, pools: new Set([...swaps, ...changed].map(({ pool }) => pool)), end }
}

/** The records as they are now. */
const readPoolEvents = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  { market, pools }: { readonly market: ValuedMarket; readonly pools: MissedRange['pools'] },
): Promise<readonly ChangeEvent[]> => {
  const held = [...pools].flatMap((number) => getByNumber(market.rows, number) ?? [])
  const others = [...pools].filter((number) => getByNumber(model.pools, number) === undefined)
  const empty = await listByNumber(
    snapshot,
    model,
    others.toSorted((a, b) => a - b),
  )
  return [
    ...held.map((row) => ({ pool: row.pool, data: market.viewOf(row) })),
    ...empty.map((pool) => ({ pool, data: viewOfPool(pool, market.inputs) })),
  ].map(({ pool, data }) => ({ topic: 'pool', data, about: toSubject(pool, model) }))
}

const rollbackEvent = (
  { place, rollback }: ResumePlace,
  model: ReadModel,
): readonly ChangeEvent[] => {
  if (rollback === null) return []
  const data = { afterBlock: rollback.ancestor?.block ?? null, ts: model.header.cursor?.ts ?? 0 }
  return [{ topic: 'rollback', data, about: null, position: positionsIn(model)(place) }]
}

/** Stocks and sources have no history: a subscriber that returns gets all of them. */
const currentEvents = (
  market: ValuedMarket,
  sources: readonly SourceView[],
): readonly ChangeEvent[] => [
  ...market.stocks().map((data): ChangeEvent => {
    const about = { symbols: [data.symbol.toUpperCase()], poolId: null }
    return { topic: 'stock', data, about }
  }),
  ...sources.map((data): ChangeEvent => ({ topic: 'source', data, about: null })),
]

type MissedQuery = { readonly from: StreamPosition; readonly upTo: StreamPosition }

/**
 * Reads the next step from the snapshot of the model. Pools come before the swaps of their step,
 * and do not move the position: a subscriber that is interrupted gets them again rather than not
 * at all.
 */
const readMissedChanges = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  {
    from,
    upTo,
    market,
    sources,
  }: MissedQuery & { readonly market: ValuedMarket; readonly sources: readonly SourceView[] },
): Promise<MissedChanges> => {
  const { header } = model
  const reached = positionOf(model)
  if (reached === null || from.listing !== upTo.listing) return { kind: 'lost' }
  if (header.epoch !== upTo.epoch || from.epoch > upTo.epoch) return { kind: 'early' }
  const resumed = await findResumePlace(snapshot, header, from)
  if (resumed === null) return { kind: 'lost' }
  const { place } = resumed
  if (comparePlaces(place, upTo.place) > 0) return { kind: 'early' }
  const { swaps, pools, end } = await readRange(snapshot, place, upTo.place)
  const isLast = comparePlaces(end, upTo.place) === 0
  const start = positionsIn(model)(place)
  const changed = await readPoolEvents(snapshot, model, { market, pools })
  const events: readonly ChangeEvent[] = [
    ...rollbackEvent(resumed, model),
    ...changed.map((event) => ({ ...event, position: start })),
    ...toSwapEvents(swaps, model),
    ...(isLast ? currentEvents(market, sources) : []),
  ]
  return { kind: 'changes', events, position: isLast ? upTo : { ...reached, place: end } }
}

/** Reads what follows a position of a subscriber, up to a published one. */
export const createMissedChanges =
  ({
    sync,
    valuer,
    sources,
  }: {
    readonly sync: Pick<StoreSync, 'read'>
    readonly valuer: Pick<Valuer, 'latest'>
    readonly sources: () => readonly SourceView[]
  }): Market['missedChanges'] =>
  async (from, upTo) => {
    const missed = await sync.read(async (snapshot, model) => {
      const market = valuer.latest()
      if (market === null) return null
      return readMissedChanges(snapshot, model, { from, upTo, market, sources: sources() })
    })
    return missed ?? { kind: 'early' }
  }
