import { createHash } from 'node:crypto'
import { eventDigest, eventLine } from '../src/domain/chain/event-digest.ts'
import { poolEventsFromRows } from '../src/domain/ingest/pool-events.ts'
import type { Hex, PoolId } from '../src/domain/units.ts'
import type { Store } from '../src/ports/store.ts'
import type { SyntheticChain } from './chain/generate.ts'
import { originBlock } from './chain/params.ts'

export const sha256 = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`

/** The chain's events up to a block as lines, without initializations, which are not stored. */
export const chainEventLines = ({ events }: SyntheticChain, to: number): readonly string[] =>
  events.filter(({ kind, at }) => kind !== 'initialized' && at.block <= to).map(eventLine)

const poolsOf = (store: Store) => store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))

export const storedEventLines = async (store: Store, to: number): Promise<readonly string[]> => {
  const ids = new Map<number, PoolId>((await poolsOf(store)).map(({ number, id }) => [number, id]))
  const rows = await store.readEvents({ from: originBlock, to })
  return poolEventsFromRows(rows, (number) => ids.get(number)).map(eventLine)
}

export const digestLines = (lines: readonly string[]): Hex => eventDigest(lines, sha256)

type Difference = { readonly missing: readonly string[]; readonly surplus: readonly string[] }

/** Lines of the chain that a store lacks, and lines that only the store has. */
export const compareLines = (
  expected: readonly string[],
  stored: readonly string[],
): Difference => {
  const [expectedLines, storedLines] = [new Set(expected), new Set(stored)]
  return {
    missing: expected.filter((line) => !storedLines.has(line)),
    surplus: stored.filter((line) => !expectedLines.has(line)),
  }
}

/** State of every indexed pool by id, as the chain's contracts have it. */
export const chainPoolStates = ({ pools }: SyntheticChain): ReadonlyMap<PoolId, unknown> =>
  new Map(
    pools.map(({ plan, snapshot, reserves, depth, lastSwap }) => {
      const { liquidity, ...price } = snapshot()
      const amounts = { reserves: reserves(), depth: depth() }
      const state = { price, liquidity, ...amounts, mapFault: null, ...lastSwap() }
      return [plan.id, state]
    }),
  )

export const storedPoolStates = async (store: Store): Promise<ReadonlyMap<PoolId, unknown>> => {
  const pools = await poolsOf(store)
  return new Map(
    pools.map((pool) => {
      const { id, price, liquidity, reserves, depth, mapFault } = pool
      const { lastSwapTs, lastSwapBlock, lastSwapFee } = pool
      const state = { price, liquidity, reserves, depth, mapFault }
      return [id, { ...state, lastSwapTs, lastSwapBlock, lastSwapFee }]
    }),
  )
}
