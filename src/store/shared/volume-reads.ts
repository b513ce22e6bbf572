import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { VolumeSum } from '../../ports/store-batches.ts'
import { candleSums, type Queries, volumeSums } from './queries.ts'
import type { Session } from './session.ts'

type TimeSpan = { readonly fromTs: number; readonly toTs: number }

/** Of a pool whose candles were cut off at their limit, from the swaps. */
const readExactVolume = async (
  session: Session,
  queries: Queries,
  { sum, fromTs, toTs }: TimeSpan & { readonly sum: VolumeSum },
): Promise<VolumeSum> => {
  const values = [sum.pool, fromTs, toTs, fromTs, toTs, Number.MAX_SAFE_INTEGER]
  return (await session.first(volumeSums, queries.volumeOfPool, values)) ?? sum
}

export const readHourlyVolume = async (
  session: Session,
  queries: Queries,
  span: TimeSpan,
): Promise<readonly VolumeSum[]> => {
  const { fromTs, toTs } = span
  const hours = await session.all(candleSums, queries.hourlyVolume, [fromTs, toTs])
  const exact = new Map<number, VolumeSum>()
  for (const { sum, isCut } of hours) {
    if (isCut) exact.set(sum.pool, await readExactVolume(session, queries, { sum, ...span }))
  }
  return hours.map(({ sum }) => exact.get(sum.pool) ?? sum)
}

export const readMinuteVolume = async (
  session: Session,
  queries: Queries,
  { pool, fromTs, toTs }: TimeSpan & { readonly pool: PoolNumber },
): Promise<VolumeSum | null> => {
  const minutes = await session.first(candleSums, queries.minuteVolume, [pool, fromTs, toTs])
  if (minutes === null) return null
  const { sum, isCut } = minutes
  return isCut ? readExactVolume(session, queries, { sum, fromTs, toTs }) : sum
}
