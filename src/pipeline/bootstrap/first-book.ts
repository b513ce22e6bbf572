import type { ChainLog } from '../../domain/chain/log.ts'
import { createPoolBook } from '../../domain/ingest/pool-book.ts'
import { stateUntold } from '../../domain/ingest/present-state.ts'
import { applyEvent, newlyCreated, type TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import type { TokenRoles } from '../../domain/pool/kind.ts'
import { tickOfLiquidityMap } from '../../domain/pool/liquidity-map.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import type { BlockNumber, PoolId } from '../../domain/units.ts'
import type { FirstMap, FirstReading, ReadingBatch } from '../../ports/store-rows.ts'
import { createEventOf, findPools } from './found-pools.ts'

/** What a first reading brought since it was asked last. */
export type FirstNews = Pick<ReadingBatch, 'foundTo' | 'pools' | 'states' | 'ticks' | 'maps'>

/** The pools of a first reading: found by their creation, their maps folded step by step. */
export type FirstBook = {
  readonly foundTo: () => BlockNumber
  readonly mappedTo: (pool: PoolIdentity) => BlockNumber
  readonly pools: () => readonly TrackedPool[]
  /** Takes all creation logs of the next blocks up to `to`; answers the pools that they brought. */
  readonly discover: (logs: readonly ChainLog[], to: BlockNumber) => readonly PoolIdentity[]
  /**
   * Takes all liquidity logs that these pools emitted after their `mappedTo` and up to `to`, others
   * if they come along; answers the pools that emitted any.
   */
  readonly fold: (
    logs: readonly ChainLog[],
    upTo: { readonly pools: readonly PoolIdentity[]; readonly to: BlockNumber },
  ) => ReadonlySet<PoolNumber>
  /** To be stored, or to be read again. */
  readonly takeNews: () => FirstNews
}

type Deps = Pick<Parameters<typeof createEventOf>[0], 'venues' | 'keccak256' | 'onRefused'> & {
  readonly roles: TokenRoles
  readonly origin: BlockNumber
}

/** What a reading that was cut short had stored. */
export type FirstKept = {
  readonly reading: Pick<FirstReading, 'foundTo' | 'maps'>
  readonly pools: readonly TrackedPool[]
}

/** What has changed and was not taken yet. */
const createNews = () => {
  let pools: PoolIdentity[] = []
  let ticks = new Map<string, { readonly pool: PoolNumber; readonly tick: number }>()
  let maps = new Map<PoolNumber, BlockNumber>()
  return {
    pools: (found: readonly PoolIdentity[]): void => {
      pools.push(...found)
    },
    tick: (pool: PoolNumber, tick: number): void => {
      ticks.set(`${pool}:${tick}`, { pool, tick })
    },
    map: ({ pool, mappedTo }: FirstMap): void => {
      maps.set(pool, mappedTo)
    },
    take: () => {
      const taken = { pools, ticks: [...ticks.values()], maps: [...maps] }
      pools = []
      ticks = new Map()
      maps = new Map()
      return taken
    },
  }
}

export const openFirstBook = (deps: Deps, kept: FirstKept | null): FirstBook => {
  const { roles, origin } = deps
  const book = createPoolBook()
  const mapped = new Map(kept?.reading.maps.map(({ pool, mappedTo }) => [pool, mappedTo]))
  const news = createNews()
  let foundTo = kept?.reading.foundTo ?? origin - 1
  for (const { identity, map } of kept?.pools ?? [])
    book.put({ ...newlyCreated(identity, null), map })

  const isKnown = (id: PoolId): boolean => book.numberOf(id) !== undefined
  const eventOf = createEventOf({ ...deps, isKnown })
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
      book.put(applyEvent(pool, event))
      for (const tick of [event.tickLower, event.tickUpper]) news.tick(number, tick)
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
      const found = findPools(logs, { eventOf, roles, isKnown, first: book.nextNumber() })
      const identities = found.map(({ identity }) => identity)
      for (const identity of identities) book.put(newlyCreated(identity, null))
      news.pools(identities)
      foundTo = to
      return identities
    },
    fold: (logs, { pools, to }) => {
      const touched = new Set<PoolNumber>()
      for (const log of logs) {
        const number = foldOne(log)
        if (number !== null) touched.add(number)
      }
      for (const identity of pools) {
        if (mappedTo(identity) >= to) continue
        mapped.set(identity.number, to)
        news.map({ pool: identity.number, mappedTo: to })
      }
      return touched
    },
    takeNews: () => {
      const { pools, ticks, maps } = news.take()
      return {
        foundTo,
        pools,
        states: pools.map(({ number }) => ({ pool: number, state: stateUntold })),
        ticks: ticks.flatMap(({ pool: number, tick }) => {
          const pool = sound(number)
          return pool === undefined ? [] : [{ pool: number, ...tickOfLiquidityMap(pool.map, tick) }]
        }),
        maps: maps.flatMap(([number, to]) =>
          sound(number) === undefined ? [] : [{ pool: number, mappedTo: to }],
        ),
      }
    },
  }
}
