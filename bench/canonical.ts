import { createHash } from 'node:crypto'
import { eventDigest, eventLine } from '../src/domain/chain/event-digest.ts'
import { poolEventsFromRows } from '../src/domain/ingest/pool-events.ts'
import type { Hex, PoolId } from '../src/domain/units.ts'
import type { Store } from '../src/ports/store.ts'
import type { SyntheticChain } from './chain/generate.ts'
import { originBlock } from './chain/params.ts'

export const sha256 = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`

/** The chain's own events up to a block, one line each; initialisations have no rows to be in. */
export const linesOfChain = ({ events }: SyntheticChain, to: number): readonly string[] =>
  events.filter(({ kind, at }) => kind !== 'initialized' && at.block <= to).map(eventLine)

const poolsOf = (store: Store) => store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))

export const linesOfStore = async (store: Store, to: number): Promise<readonly string[]> => {
  const ids = new Map<number, PoolId>((await poolsOf(store)).map(({ number, id }) => [number, id]))
  const rows = await store.readEvents({ from: originBlock, to })
  return poolEventsFromRows(rows, (number) => ids.get(number)).map(eventLine)
}

export const digestOf = (lines: readonly string[]): Hex => eventDigest(lines, sha256)

type Difference = { readonly missing: readonly string[]; readonly surplus: readonly string[] }

/** What a store lacks of the chain, and what it has that the chain has not. */
export const differenceOf = (told: readonly string[], held: readonly string[]): Difference => {
  const [toldLines, heldLines] = [new Set(told), new Set(held)]
  return {
    missing: told.filter((line) => !heldLines.has(line)),
    surplus: held.filter((line) => !toldLines.has(line)),
  }
}

/** The state of every pool as the chain's own contracts would tell it, by the pool's id. */
export const statesOfChain = ({ pools }: SyntheticChain): ReadonlyMap<PoolId, unknown> =>
  new Map(
    pools.map(({ plan, moment, reserves, lastSwap }) => {
      const { liquidity, ...price } = moment()
      const state = { price, liquidity, reserves: reserves(), mapFault: null, ...lastSwap() }
      return [plan.id, state]
    }),
  )

export const statesOfStore = async (store: Store): Promise<ReadonlyMap<PoolId, unknown>> => {
  const pools = await poolsOf(store)
  return new Map(
    pools.map((pool) => {
      const { id, price, liquidity, reserves, mapFault } = pool
      const { lastSwapTs, lastSwapBlock, lastSwapFee } = pool
      const state = { price, liquidity, reserves, mapFault }
      return [id, { ...state, lastSwapTs, lastSwapBlock, lastSwapFee }]
    }),
  )
}
