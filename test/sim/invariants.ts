import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { eventDigest } from '../../src/domain/chain/event-digest.ts'
import type { FindPool } from '../../src/domain/ingest/decode-pool-log.ts'
import {
  decodePoolEvents,
  hasStoredRow,
  poolEventsFromRows,
  type StoredRangeEvents,
} from '../../src/domain/ingest/pool-events.ts'
import type { StoredTick } from '../../src/domain/pool/stored-rows.ts'
import type { Hash, PoolId } from '../../src/domain/units.ts'
import type { Store } from '../../src/ports/store.ts'
import type { IndexHeader, StoredPool } from '../../src/ports/store-batches.ts'
import { allOf } from '../store-contract/fixtures.ts'
import { completeLine } from '../support/domain/complete-line.ts'
import { createSampleIndex, venues } from '../support/domain/sample-market.ts'
import { keccak } from '../support/domain/sample-pool.ts'
import { blockAt, firstBlock, poolsAfter, type SimBlock, type SimChain } from './sim-chain.ts'

export const sha256 = (text: string) =>
  `0x${createHash('sha256').update(text).digest('hex')}` as const

/** What a store holds of events, and what it made of them. */
export type Stored = {
  readonly header: IndexHeader
  readonly pools: readonly StoredPool[]
  readonly ticks: readonly StoredTick[]
  readonly events: StoredRangeEvents
}

export const readStored = async (store: Store): Promise<Stored | null> => {
  const { header, pools } = await store.snapshot(async (snapshot) => ({
    header: await snapshot.header(),
    pools: await snapshot.poolsChangedAfter(-1),
  }))
  if (header === null) return null
  const events = await store.readEvents({ from: 0, to: Number.MAX_SAFE_INTEGER })
  return { header, pools, ticks: await allOf(store.readTicks()), events }
}

const { roles } = createSampleIndex()

/** The chain's own events, block by block; each block is decoded once, on whatever branch. */
const createTruth = () => {
  type Origins = ReadonlyMap<PoolId, ReturnType<FindPool>>
  type Known = { readonly lines: readonly string[]; readonly pools: Origins }
  const known = new Map<Hash, Known>()
  const none: Known = { lines: [], pools: new Map() }

  const read = ({ logs }: SimBlock, before: Origins): Known => {
    if (logs.length === 0) return { lines: [], pools: before }
    const findPool = (id: PoolId) => before.get(id)
    const events = decodePoolEvents(logs, { venues, keccak256: keccak, roles, findPool })
    const lines = events.filter(hasStoredRow).map(completeLine)
    const created = events.filter((event) => event.kind === 'created')
    return {
      lines,
      pools: new Map([...before, ...created.map((event) => [event.poolId, event] as const)]),
    }
  }

  /** Everything up to a block, the first line first. */
  const linesUpTo = (head: SimBlock): readonly string[] => {
    const lines: string[] = []
    let before = none
    for (let block = firstBlock; block <= head.anchor.block; block++) {
      const at = blockAt(head, block) as SimBlock
      const here = known.get(at.anchor.hash) ?? read(at, before.pools)
      known.set(at.anchor.hash, here)
      lines.push(...here.lines)
      before = here
    }
    return lines
  }
  return { linesUpTo }
}

const linesOf = ({ pools, events }: Stored, to: number): readonly string[] => {
  const ids = new Map(pools.map(({ number, id }) => [number, id]))
  return poolEventsFromRows(events, (number) => ids.get(number))
    .filter(({ at }) => at.block <= to)
    .map(completeLine)
}

/** Above the settled block all events belong to the chain that the indexed block ends. */
const strangers = (
  { header: { finalizedCursor, cursor }, events }: Stored,
  chain: Tree,
): readonly string[] => {
  if (cursor === null) return events.blocks.length > 0 ? ['events above no indexed block'] : []
  const head = chain.blockOf(cursor.hash)
  if (head === undefined) return [`the indexed block ${cursor.block} is of no branch`]
  return events.blocks
    .filter(({ block }) => block > (finalizedCursor?.block ?? 0))
    .filter(({ block, hash }) => blockAt(head, block)?.anchor.hash !== hash)
    .map(({ block }) => `block ${block} is not of the chain that ends with ${cursor.block}`)
}

/** Every row has the time of the block that it names. */
const mistimed = ({ header, events }: Stored, chain: Tree): readonly string[] => {
  const head = chain.blockOf(header.cursor?.hash ?? '0x')
  if (head === undefined) return []
  const isWrong = ({ block, ts }: { readonly block: number; readonly ts: number }) =>
    blockAt(head, block) !== undefined && blockAt(head, block)?.anchor.ts !== ts
  const wrong = [...events.blocks, ...events.swaps, ...events.liquidity].filter(isWrong)
  return wrong.map(({ block }) => `a row of block ${block} has another time`)
}

/** What was seen in a block that the index still stands on is in that block for ever. */
const vanished = (
  { header: { cursor } }: Stored,
  { before, now, chain }: { before: readonly string[]; now: readonly string[]; chain: Tree },
): readonly string[] => {
  const head = cursor && chain.blockOf(cursor.hash)
  if (!head || before.length === 0) return []
  const held = new Set(now)
  return before
    .filter((line) => !held.has(line))
    .map((line) => line.split('|'))
    .filter(([block, hash]) => blockAt(head, Number(block))?.anchor.hash === hash)
    .map(([block]) => `an event of block ${block} has vanished`)
}

/** Every field of every pool, as its contract has it after the indexed block. */
const misfolded = ({ header, pools, ticks }: Stored, chain: Tree): readonly string[] => {
  const head = chain.blockOf(header.cursor?.hash ?? '0x')
  if (head === undefined) return []
  const byId = new Map(pools.map((pool) => [pool.id, pool]))
  return poolsAfter(head).flatMap((truth) => {
    const stored = byId.get(truth.id)
    if (stored === undefined) return [`pool ${truth.id} is missing`]
    const { price, liquidity, reserves, depth, mapFault } = stored
    const rows = ticks
      .filter(({ pool }) => pool === stored.number)
      .map(({ tick, net, gross }) => ({ tick, net, gross }))
    const held = { price, liquidity, reserves, depth, mapFault, rows }
    const real = {
      price: truth.price(),
      liquidity: truth.liquidity(),
      reserves: truth.reserves(),
      depth: truth.depth(),
      mapFault: null,
      rows: truth.rows().toSorted((a, b) => a.tick - b.tick),
    }
    const { fees } = stored
    const kept = fees && { lpFee: fees.lpFee, protocolFee: fees.protocolFee }
    // After a branch replacement they are unknown until they are read.
    const isKnown = kept === null || isDeepStrictEqual(kept, truth.fees())
    const isSame = isDeepStrictEqual(held, real) && isKnown
    return isSame ? [] : [`pool ${stored.number} is not what its events made of it`]
  })
}

/** What a store is compared with: which blocks exist, and which of them are canonical. */
export type Tree = Pick<SimChain, 'blockOf' | 'isCanonical'>

export type Watch = {
  /** Every invariant that is broken now; called after every step. */
  readonly violations: () => Promise<readonly string[]>
}

/**
 * Compares a store with the simulated chain. The index cannot know what was hidden from it: while
 * `isBlind()`, only the promises of the finality check are verified.
 */
export const createWatch = ({
  chain,
  store,
  isBlind = () => false,
  isComplete = () => true,
}: {
  readonly chain: Tree
  readonly store: Store
  readonly isBlind?: () => boolean
  /** False while pools are indexed without their past. */
  readonly isComplete?: (header: IndexHeader) => boolean
}): Watch => {
  const truth = createTruth()
  let settledBefore = 0
  let linesBefore: readonly string[] = []

  const differs = (stored: Stored, head: SimBlock): boolean => {
    const { block } = head.anchor
    return (
      eventDigest(linesOf(stored, block), sha256) !== eventDigest(truth.linesUpTo(head), sha256)
    )
  }

  const settledViolations = (stored: Stored): readonly string[] => {
    const { finalizedCursor } = stored.header
    const found: string[] = []
    if ((finalizedCursor?.block ?? 0) < settledBefore) found.push('settled fell')
    settledBefore = finalizedCursor?.block ?? 0
    if (finalizedCursor === null) return found
    const block = chain.blockOf(finalizedCursor.hash)
    if (block === undefined || !chain.isCanonical(block)) found.push('settled is not canonical')
    else if (differs(stored, block))
      found.push(`digest at the settled block ${finalizedCursor.block}`)
    return found
  }

  const indexedViolations = (stored: Stored): readonly string[] => {
    const head = chain.blockOf(stored.header.cursor?.hash ?? '0x')
    if (head === undefined || isBlind()) return []
    const lost = differs(stored, head) ? [`digest at the indexed block ${head.anchor.block}`] : []
    return [...lost, ...misfolded(stored, chain)]
  }

  return {
    violations: async () => {
      const stored = await readStored(store)
      if (stored === null) return []
      const now = linesOf(stored, Number.MAX_SAFE_INTEGER)
      const lost = vanished(stored, { before: linesBefore, now, chain })
      linesBefore = now
      if (!isComplete(stored.header)) return [...lost, ...strangers(stored, chain)]
      return [
        ...lost,
        ...settledViolations(stored),
        ...strangers(stored, chain),
        ...mistimed(stored, chain),
        ...indexedViolations(stored),
      ]
    },
  }
}

/** Writes everything twice, like a writer that lost the answer; a difference is a violation. */
export const writingTwice = (store: Store, report: (violation: string) => void): Store => {
  const again = async <T>(name: string, write: () => Promise<T>): Promise<T> => {
    const outcome = await write()
    const before = await readStored(store)
    await write()
    if (!isDeepStrictEqual(await readStored(store), before)) report(`a second ${name} changes rows`)
    return outcome
  }
  return {
    ...store,
    commitRange: (batch) => again('commit', () => store.commitRange(batch)),
    replaceBranch: (branch) => again('replacement', () => store.replaceBranch(branch)),
    advanceFinalized: (check) => again('finality check', () => store.advanceFinalized(check)),
  }
}
