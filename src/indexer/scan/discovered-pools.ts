import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import {
  decodePoolLog,
  type RejectedLog,
  type Venues,
} from '../../domain/ingest/decode-pool-log.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import { isIndexedPool, type TokenRoles } from '../../domain/pool/pool-kind.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import { type PoolIdentity, type PoolNumber, unknownState } from '../../domain/pool/pool-state.ts'
import { getTick } from '../../domain/pool/tick-map.ts'
import {
  applyPoolEvent,
  createPoolIdentity,
  createTrackedPool,
  type TrackedPool,
} from '../../domain/pool/tracked-pool.ts'
import type { BlockNumber, PoolId } from '../../domain/units.ts'
import type { BootstrapBatch, BootstrapState } from '../../ports/store-batches.ts'

type EventDeps = {
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly isKnown: (id: PoolId) => boolean
  readonly onRefused: (refused: RejectedLog) => void
}

/** The events of our pools that logs are; what can not be true is told to `onRefused`. */
export const createPoolLogDecoder =
  (deps: EventDeps) =>
  (log: ChainLog): PoolEvent | null => {
    const recognised = decodePoolLog(log, { ...deps, isFollowed: deps.isKnown })
    if (recognised.ok) return recognised.event
    if (recognised.reason !== null) deps.onRefused(recognised)
    return null
  }

/** A pool of ours, and the log that it came with. */
type DiscoveredPool = { readonly identity: PoolIdentity; readonly log: ChainLog }

/** The pools that creation logs bring, numbered in the order in which they come. */
export const discoverPools = (
  logs: readonly ChainLog[],
  deps: {
    readonly eventOf: (log: ChainLog) => PoolEvent | null
    readonly roles: TokenRoles
    readonly isKnown: (id: PoolId) => boolean
    readonly first: PoolNumber
  },
): readonly DiscoveredPool[] => {
  const found = new Map<PoolId, DiscoveredPool>()
  for (const log of logs) {
    const event = deps.eventOf(log)
    if (event?.kind !== 'created') continue
    const { key, poolId: id } = event
    if (found.has(id) || deps.isKnown(id)) continue
    if (!isIndexedPool(key, deps.roles)) continue
    const number = deps.first + found.size
    found.set(id, { identity: createPoolIdentity(event, number), log })
  }
  return [...found.values()]
}

/** The pools of a first reading: found by their creation, their maps folded step by step. */
export type DiscoveredPools = {
  readonly foundTo: () => BlockNumber
  readonly mappedTo: (pool: PoolIdentity) => BlockNumber
  readonly pools: () => readonly TrackedPool[]
  /** Takes all creation logs of the next blocks up to `to`; answers the pools that they brought. */
  readonly discover: (logs: readonly ChainLog[], to: BlockNumber) => readonly PoolIdentity[]
  /**
   * Takes all liquidity logs that these pools emitted after their `mappedTo` and up to `to`, others
   * if they come along; answers the pools that emitted any.
   */
  readonly applyLiquidityLogs: (
    logs: readonly ChainLog[],
    upTo: { readonly pools: readonly PoolIdentity[]; readonly to: BlockNumber },
  ) => ReadonlySet<PoolNumber>
  /** What came since it was asked last: to be stored, or to be read again. */
  readonly takeChanges: () => Pick<
    BootstrapBatch,
    'discoveredTo' | 'pools' | 'states' | 'ticks' | 'tickMapCursors'
  >
}

/** What has changed and was not taken yet. */
const noChanges = () => ({
  pools: [] as PoolIdentity[],
  ticks: new Map<string, { readonly pool: PoolNumber; readonly tick: number }>(),
  mappedTo: new Map<PoolNumber, BlockNumber>(),
})

export const openDiscoveredPools = (
  deps: Omit<EventDeps, 'isKnown'> & { readonly roles: TokenRoles; readonly origin: BlockNumber },
  /** What a reading that was cut short had stored. */
  kept: {
    readonly reading: Pick<BootstrapState, 'discoveredTo' | 'tickMapCursors'>
    readonly pools: readonly TrackedPool[]
  } | null,
): DiscoveredPools => {
  const book = createPoolSet()
  const mapped = new Map(kept?.reading.tickMapCursors.map(({ pool, mappedTo }) => [pool, mappedTo]))
  let changes = noChanges()
  let foundTo = kept?.reading.discoveredTo ?? deps.origin - 1
  for (const { identity, tickMap: map } of kept?.pools ?? [])
    book.put({ ...createTrackedPool(identity, null), tickMap: map })

  const isKnown = (id: PoolId): boolean => book.numberOf(id) !== undefined
  const eventOf = createPoolLogDecoder({ ...deps, isKnown })
  const mappedTo = ({ number, createdBlock }: PoolIdentity): BlockNumber =>
    mapped.get(number) ?? createdBlock - 1

  /** The pool that emitted it, unless the log was folded before. */
  const foldOne = (log: ChainLog): PoolNumber | null => {
    const event = eventOf(log)
    const pool = event === null ? undefined : book.byId(event.poolId)
    if (pool === undefined || event === null) return null
    if (event.at.block <= mappedTo(pool.identity)) return null
    const { number } = pool.identity
    if (event.kind === 'liquidity-changed') {
      book.put(applyPoolEvent(pool, event))
      for (const tick of [event.tickLower, event.tickUpper]) {
        changes.ticks.set(`${number}:${tick}`, { pool: number, tick })
      }
    }
    return number
  }

  /** A map that its events contradict is not stored: what is read again contradicts it again. */
  const sound = (number: PoolNumber): TrackedPool | undefined => {
    const pool = book.byNumber(number)
    return pool?.state.mapFault === null ? pool : undefined
  }

  return {
    foundTo: () => foundTo,
    mappedTo,
    pools: () => [...book.all()],
    discover: (logs, to) => {
      const found = discoverPools(logs, { ...deps, eventOf, isKnown, first: book.nextNumber() })
      const identities = found.map(({ identity }) => identity)
      for (const identity of identities) book.put(createTrackedPool(identity, null))
      changes.pools.push(...identities)
      foundTo = to
      return identities
    },
    applyLiquidityLogs: (logs, { pools, to }) => {
      const touched = new Set<PoolNumber>()
      for (const log of logs) {
        const number = foldOne(log)
        if (number !== null) touched.add(number)
      }
      for (const identity of pools) {
        if (mappedTo(identity) >= to) continue
        mapped.set(identity.number, to)
        changes.mappedTo.set(identity.number, to)
      }
      return touched
    },
    takeChanges: () => {
      const taken = changes
      changes = noChanges()
      return {
        discoveredTo: foundTo,
        pools: taken.pools,
        states: taken.pools.map(({ number }) => ({ pool: number, state: unknownState })),
        ticks: [...taken.ticks.values()].flatMap(({ pool: number, tick }) => {
          const pool = sound(number)
          return pool === undefined ? [] : [{ pool: number, ...getTick(pool.tickMap, tick) }]
        }),
        tickMapCursors: [...taken.mappedTo].flatMap(([number, to]) =>
          sound(number) === undefined ? [] : [{ pool: number, mappedTo: to }],
        ),
      }
    },
  }
}
