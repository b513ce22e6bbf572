import { eventDigest, eventLine, type TextHash } from '../../domain/chain/event-digest.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { asLogged, hasStoredRow, poolEventsFromRows } from '../../domain/ingest/pool-events.ts'
import { type PoolEvent, setsFees } from '../../domain/pool/pool-event.ts'
import { isSameFees } from '../../domain/pool/pool-fees.ts'
import { isSameSettings } from '../../domain/pool/pool-settings.ts'
import type { PoolFees, PoolSettings } from '../../domain/pool/pool-state.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { Address, PoolId, UnixSeconds } from '../../domain/units.ts'
import type { BlockRange } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type { ChainlinkFeeds, PriceObservation } from '../chainlink-history.ts'
import type { IndexState } from '../state/index-state.ts'

export type ComparisonDeps = {
  readonly store: Store
  readonly index: IndexState
  readonly sha256: TextHash
  /** The prices in a log of a configured feed. */
  readonly decodePrices: ChainlinkFeeds['decodePrices']
  /** Older swaps may be pruned and are not compared. */
  readonly swapsKeptSinceTs: () => UnixSeconds
}

/** Number of lines that only one side has. */
const countDifferences = (onChain: readonly string[], stored: readonly string[]): number => {
  const [chainLines, storedLines] = [new Set(onChain), new Set(stored)]
  const missing = onChain.filter((line) => !storedLines.has(line))
  const surplus = stored.filter((line) => !chainLines.has(line))
  return missing.length + surplus.length
}

/** Counts feed answers in whose minute the store has no price, or only one of a pool. */
const createAnswerComparison = ({ store, decodePrices }: ComparisonDeps) => {
  const readStoredMinutes = async (address: Address, points: readonly PriceObservation[]) => {
    const times = points.map(({ ts }) => bucketStart(ts, secondsPerMinute))
    const [fromTs, toTs] = [Math.min(...times), Math.max(...times)]
    const query = { address, width: secondsPerMinute, fromTs, toTs } as const
    const { rows } = await store.snapshot((snapshot) => snapshot.references(query))
    return new Set(rows.filter(({ source }) => source !== 'pools').map(({ ts }) => ts))
  }

  return async (logs: readonly ChainLog[], sinceTs: UnixSeconds): Promise<number> => {
    const answers = logs.map((log) => decodePrices(log).filter(({ ts }) => ts >= sinceTs))
    const stored = new Map<Address, ReadonlySet<UnixSeconds>>()
    for (const [address, points] of Map.groupBy(answers.flat(), (point) => point.address)) {
      stored.set(address, await readStoredMinutes(address, points))
    }
    const isMissing = ({ address, ts }: PriceObservation): boolean =>
      stored.get(address)?.has(bucketStart(ts, secondsPerMinute)) === false
    return answers.filter((points) => points.some(isMissing)).length
  }
}

/** The fees that events of a range set last. */
const lastFeesOf = (events: readonly PoolEvent[]): ReadonlyMap<PoolId, Partial<PoolFees>> => {
  const last = new Map<PoolId, Partial<PoolFees>>()
  for (const event of events) {
    if (!setsFees(event)) continue
    const changed =
      event.kind === 'lp-fee-set' ? { lpFee: event.lpFee } : { protocolFee: event.protocolFee }
    last.set(event.poolId, { ...last.get(event.poolId), ...changed, block: event.at.block })
  }
  return last
}

/** Compares a range of the chain with what is stored of it (methodology §7). */
export const createFinalityComparison = (deps: ComparisonDeps) => {
  const { store, index, swapsKeptSinceTs, sha256 } = deps
  const countMissingAnswers = createAnswerComparison(deps)

  const linesOf = (events: readonly PoolEvent[], sinceTs: UnixSeconds): readonly string[] =>
    events
      .filter((event) => hasStoredRow(event) && event.at.ts >= sinceTs)
      .map((event) => eventLine(event))

  /** Initializations have no rows: a missed one shows as a missing first candle. */
  const countMissingInitializations = async (
    events: readonly PoolEvent[],
    sinceTs: UnixSeconds,
  ) => {
    let missing = 0
    for (const { kind, poolId, at } of events) {
      const pool = index.pools().numberOf(poolId)
      if (kind !== 'initialized' || at.ts < sinceTs || pool === undefined) continue
      const ts = bucketStart(at.ts, secondsPerMinute)
      const bucket = { pool, width: secondsPerMinute, fromTs: ts, toTs: ts } as const
      const { rows } = await store.snapshot((snapshot) => snapshot.candles(bucket))
      if (rows.length === 0) missing += 1
    }
    return missing
  }

  /** Settings have no row either. */
  const countMissingSettings = (events: readonly PoolEvent[]): number => {
    const last = new Map<PoolId, Partial<PoolSettings>>()
    for (const { poolId, at, ...event } of events) {
      if (event.kind !== 'setting-set') continue
      const { kind: _, ...changed } = event
      last.set(poolId, { ...last.get(poolId), ...changed, block: at.block })
    }
    const isMissing = ([id, changed]: readonly [PoolId, Partial<PoolSettings>]): boolean => {
      const settings = index.pools().byId(id)?.state.settings ?? null
      if (settings === null || settings.block > (changed.block ?? 0)) return false
      return (
        !isSameSettings(settings, { ...settings, ...changed }) || settings.block !== changed.block
      )
    }
    return [...last].filter(isMissing).length
  }

  /** Fees have no row: the last ones of the range must be those of the pool, or older. */
  const countMissingFees = (events: readonly PoolEvent[]): number => {
    const isMissing = ([id, last]: readonly [PoolId, Partial<PoolFees>]): boolean => {
      const fees = index.pools().byId(id)?.state.fees ?? null
      if (fees === null || fees.block > (last.block ?? 0)) return false
      return !isSameFees(fees, { ...fees, ...last }) || fees.block !== last.block
    }
    return [...lastFeesOf(events)].filter(isMissing).length
  }

  /** Number of events, prices and fees of the range that differ between chain and store. */
  return async (range: BlockRange, logs: readonly ChainLog[]): Promise<number> => {
    const sinceTs = swapsKeptSinceTs()
    const rows = await store.readEvents(range)
    const events = index.decodeEvents(logs)
    const onChain = linesOf(events, sinceTs)
    const { idOf, identityOf } = index.pools()
    const stored = linesOf(asLogged(poolEventsFromRows(rows, idOf), identityOf), sinceTs)
    const isEqual = eventDigest(onChain, sha256) === eventDigest(stored, sha256)
    const differences = isEqual ? 0 : countDifferences(onChain, stored)
    const missing = (await countMissingInitializations(events, sinceTs)) + countMissingFees(events)
    return (
      differences +
      missing +
      countMissingSettings(events) +
      (await countMissingAnswers(logs, sinceTs))
    )
  }
}
