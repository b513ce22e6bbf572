import type { StoreSnapshot } from '../../ports/store.ts'
import { poolChanges } from './feed-queries.ts'
import { pricedChanges } from './past-shapes.ts'
import type { Queries } from './queries.ts'
import type { Session } from './session.ts'
import { swaps, ticks, tokens } from './tables.ts'
import { timedBlocks } from './timed-block.ts'

type FeedReads = Pick<
  StoreSnapshot,
  | 'liquidityOfBlocks'
  | 'ticksOfPools'
  | 'changesOfPools'
  | 'firstSwaps'
  | 'firstWithoutTrader'
  | 'token'
>

type Eventually<Reads> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => Promise<infer T>
    ? (...given: Given) => T | Promise<T>
    : never
}

export const createFeedReads = (session: Session, queries: Queries): Eventually<FeedReads> => ({
  liquidityOfBlocks: ({ fromBlock, toBlock, rowsMax }) =>
    session.collect(pricedChanges, queries.liquidityOfBlocks, [fromBlock, toBlock, rowsMax]),
  ticksOfPools: (pools) => session.ofPools(ticks, queries.ticksOfEach, pools, []),
  changesOfPools: ({ pools, fromBlock, rowsMax }) =>
    session.ofPools(poolChanges, queries.changesOfEach, pools, [fromBlock, rowsMax]),
  firstSwaps: ({ pools, fromBlock }) =>
    session.ofPools(swaps, queries.firstSwapOfEach, pools, [fromBlock]),
  firstWithoutTrader: ({ fromTs, toBlock }) =>
    session.first(timedBlocks, queries.firstWithoutTrader, [fromTs, fromTs, toBlock]),
  token: (address) =>
    session.first(tokens, queries.token, [Buffer.from(address.slice('0x'.length), 'hex')]),
})
