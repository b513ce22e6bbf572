import { magnitude, type Trade } from '../../domain/history/trades.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type TradedSum, usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { KeptHours } from '../../ports/store-history.ts'
import { bigint, integer, orNull, text } from './codec.ts'
import type { Queries } from './queries.ts'
import type { Session, Shape } from './session.ts'
import { tradedSums } from './tables.ts'

/* Reads of several pools at once: of fifty, one after the other, the round trips take longest. */

type CountedHour = {
  readonly pool: PoolNumber
  readonly ts: UnixSeconds
  readonly swaps: number
}

const countedHours: Shape<CountedHour> = {
  forms: [integer.form, integer.form, integer.form],
  fromRow: ([pool, ts, swaps]) => ({
    pool: integer.fromColumn(pool),
    ts: integer.fromColumn(ts),
    swaps: integer.fromColumn(swaps),
  }),
}

const toHour = (hour: CountedHour | undefined): KeptHours['last'] =>
  hour === undefined ? null : { ts: hour.ts, swaps: hour.swaps }

export const readKeptHours = async (
  session: Session,
  queries: Queries,
  { pools, toTs }: Parameters<StoreSnapshot['keptHours']>[0],
): Promise<readonly KeptHours[]> => {
  const minutes = await session.ofPools(countedHours, queries.firstMinutes, pools, [toTs])
  const hours = await session.ofPools(countedHours, queries.hoursUntil, pools, [toTs, toTs])
  const hoursOf = Map.groupBy(hours, ({ pool }) => pool)
  const minutesOf = new Map(minutes.map((each) => [each.pool, each]))
  return pools.map((pool) => {
    const [last, before] = hoursOf.get(pool) ?? []
    return { minutes: toHour(minutesOf.get(pool)), last: toHour(last), before: toHour(before) }
  })
}

export const readTradedSums = async (
  session: Session,
  queries: Queries,
  { pools, width, fromTs, toTs, order, rowsMax }: Parameters<StoreSnapshot['tradedSums']>[0],
): Promise<readonly TradedSum[]> => {
  const sql = order === 'asc' ? queries.tradedSums : queries.newestTradedSums
  return session.ofPools(tradedSums, sql, pools, [width, fromTs, toTs, rowsMax])
}

const toTrade = (fields: string): Trade => {
  const [ts, block, logIndex, usdMicro, implausible, digits] = fields.split(',')
  return {
    ts: Number(ts),
    block: Number(block),
    logIndex: Number(logIndex),
    usdMicro: usdMicro === '' ? null : Math.min(Number(usdMicro), usdMicroMax),
    implausible: implausible === '1',
    raw: magnitude(bigint.fromColumn(`0x${digits}`)),
  }
}

/** The second column holds the swaps, parted by semicolons, their fields by commas; null: none. */
const tradeLists: Shape<readonly Trade[]> = {
  forms: [{ ...integer.form }, { ...text.form }],
  fromRow: ([, column]) => {
    const list = orNull(text).fromColumn(column)
    return list === null ? [] : list.split(';').map(toTrade)
  },
}

export const readTrades = async (
  session: Session,
  queries: Queries,
  { pools, token, fromTs, toTs }: Parameters<StoreSnapshot['trades']>[0],
): Promise<readonly Trade[]> => {
  const values = [token, fromTs, toTs, fromTs, toTs]
  return (await session.ofPools(tradeLists, queries.trades, pools, values)).flat()
}
