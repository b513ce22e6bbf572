import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { withoutRepeatedCreations } from '../../domain/ingest/creations-first.ts'
import {
  decodePoolLog,
  type FindPool,
  type RejectedLog,
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

type DecoderDeps = {
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly findPool: FindPool
  readonly onRejected: (rejected: RejectedLog) => void
}

/** Decodes logs of indexed pools; null for all others. Invalid logs go to `onRejected`. */
export const createPoolLogDecoder =
  (deps: DecoderDeps) =>
  (log: ChainLog): PoolEvent | null => {
    const decoded = decodePoolLog(log, deps)
    if (decoded.ok) return decoded.event
    if (decoded.reason !== null) deps.onRejected(decoded)
    return null
  }

/** An indexed pool with its creation log. */
type DiscoveredPool = { readonly identity: PoolIdentity; readonly log: ChainLog }

/** The new pools of these creation logs, numbered in the order of their logs. */
export const discoverPools = (
  logs: readonly ChainLog[],
  deps: {
    readonly decode: (log: ChainLog) => PoolEvent | null
    readonly roles: TokenRoles
    readonly venues: Venues
    readonly findPool: FindPool
    readonly firstNumber: PoolNumber
  },
): readonly DiscoveredPool[] => {
  const found = new Map<PoolId, DiscoveredPool>()
  for (const log of withoutRepeatedCreations(logs, deps.venues)) {
    const event = deps.decode(log)
    if (event?.kind !== 'created') continue
    const { key, poolId: id } = event
    if (found.has(id) || deps.findPool(id) !== undefined) continue
    if (!isIndexedPool(key, deps.roles)) continue
    const number = deps.firstNumber + found.size
    found.set(id, { identity: createPoolIdentity(event, number), log })
  }
  return [...found.values()]
}

/** The pools of a bootstrap, and the tick maps that it has built so far. */
export type DiscoveredPools = {
  readonly discoveredTo: () => BlockNumber
  /** The last block whose liquidity events are in the pool's tick map. */
  readonly mappedTo: (pool: PoolIdentity) => BlockNumber
  readonly all: () => readonly TrackedPool[]
  /** Adds the pools of all creation logs of the next blocks up to `to`, and returns them. */
  readonly discover: (logs: readonly ChainLog[], to: BlockNumber) => readonly PoolIdentity[]
  /**
   * Applies all liquidity logs that these pools emitted after their `mappedTo` and up to `to`; logs
   * of other pools may be among them. Returns the pools that emitted any.
   */
  readonly applyLiquidityLogs: (
    logs: readonly ChainLog[],
    upTo: { readonly pools: readonly PoolIdentity[]; readonly to: BlockNumber },
  ) => ReadonlySet<PoolNumber>
  /** What changed since the last call: the caller stores it, or it is read again. */
  readonly takeChanges: () => Pick<
    BootstrapBatch,
    'discoveredTo' | 'pools' | 'states' | 'ticks' | 'tickMapCursors'
  >
}

const noChanges = () => ({
  pools: [] as PoolIdentity[],
  settings: new Set<PoolNumber>(),
  ticks: new Map<string, { readonly pool: PoolNumber; readonly tick: number }>(),
  mappedTo: new Map<PoolNumber, BlockNumber>(),
})

export const openDiscoveredPools = (
  deps: Omit<DecoderDeps, 'findPool'> & {
    readonly roles: TokenRoles
    readonly origin: BlockNumber
  },
  /** The stored state of an interrupted bootstrap. */
  stored: {
    readonly state: Pick<BootstrapState, 'discoveredTo' | 'tickMapCursors'>
    readonly pools: readonly TrackedPool[]
  } | null,
): DiscoveredPools => {
  const poolSet = createPoolSet()
  const cursors = new Map(
    stored?.state.tickMapCursors.map((cursor) => [cursor.pool, cursor.mappedTo]),
  )
  let changes = noChanges()
  let discoveredTo = stored?.state.discoveredTo ?? deps.origin - 1
  for (const { identity, state, tickMap } of stored?.pools ?? []) {
    const created = createTrackedPool(identity, null)
    const settings = state.settings ?? created.state.settings
    poolSet.put({ ...created, state: { ...created.state, settings }, tickMap })
  }

  const findPool = poolSet.identityOf
  const decode = createPoolLogDecoder({ ...deps, findPool })
  const mappedTo = ({ number, createdBlock }: PoolIdentity): BlockNumber =>
    cursors.get(number) ?? createdBlock - 1

  /** Returns the pool that emitted the log, unless its map has the log already. */
  const applyLog = (log: ChainLog): PoolNumber | null => {
    const event = decode(log)
    const pool = event === null ? undefined : poolSet.byId(event.poolId)
    if (pool === undefined || event === null) return null
    if (event.at.block <= mappedTo(pool.identity)) return null
    const { number } = pool.identity
    if (event.kind === 'setting-set') {
      poolSet.put(applyPoolEvent(pool, event))
      changes.settings.add(number)
    }
    if (event.kind === 'liquidity-changed') {
      poolSet.put(applyPoolEvent(pool, event))
      for (const tick of [event.tickLower, event.tickUpper]) {
        changes.ticks.set(`${number}:${tick}`, { pool: number, tick })
      }
    }
    return number
  }

  /** A map that contradicts its events is not stored: reading it again gives the same result. */
  const consistentPool = (number: PoolNumber): TrackedPool | undefined => {
    const pool = poolSet.byNumber(number)
    return pool?.state.mapFault === null ? pool : undefined
  }

  return {
    discoveredTo: () => discoveredTo,
    mappedTo,
    all: () => [...poolSet.all()],
    discover: (logs, to) => {
      const firstNumber = poolSet.nextNumber()
      const found = discoverPools(logs, { ...deps, decode, findPool, firstNumber })
      const identities = found.map(({ identity }) => identity)
      for (const identity of identities) poolSet.put(createTrackedPool(identity, null))
      changes.pools.push(...identities)
      discoveredTo = to
      return identities
    },
    applyLiquidityLogs: (logs, { pools, to }) => {
      const emitters = new Set<PoolNumber>()
      for (const log of logs) {
        const number = applyLog(log)
        if (number !== null) emitters.add(number)
      }
      for (const identity of pools) {
        if (mappedTo(identity) >= to) continue
        cursors.set(identity.number, to)
        changes.mappedTo.set(identity.number, to)
      }
      return emitters
    },
    takeChanges: () => {
      const taken = changes
      changes = noChanges()
      return {
        discoveredTo,
        pools: taken.pools,
        states: [...new Set([...taken.pools.map((pool) => pool.number), ...taken.settings])].map(
          (number) => {
            const settings = poolSet.byNumber(number)?.state.settings ?? null
            return { pool: number, state: { ...unknownState, settings } }
          },
        ),
        ticks: [...taken.ticks.values()].flatMap(({ pool: number, tick }) => {
          const pool = consistentPool(number)
          return pool === undefined ? [] : [{ pool: number, ...getTick(pool.tickMap, tick) }]
        }),
        tickMapCursors: [...taken.mappedTo].flatMap(([number, to]) =>
          consistentPool(number) === undefined ? [] : [{ pool: number, mappedTo: to }],
        ),
      }
    },
  }
}
