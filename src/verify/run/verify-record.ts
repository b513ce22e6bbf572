import { getProtocol } from '../../domain/dex/find-protocol.ts'
import type { Venue } from '../../domain/dex/venue.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import { checkIdentity, checkSides } from '../check-identity.ts'
import { checkPoolProofs } from '../check-proof.ts'
import { checkPoolStates, eachField, type PublishedPool } from '../check-state.ts'
import {
  checkCreation,
  checkLastSwap,
  checkSwaps,
  type Decimals,
  unknownDecimals,
} from '../check-swaps.ts'
import { readDecimals } from '../read-decimals.ts'
import type { PublishedRecord, RecordBlock } from '../service/published-record.ts'
import type { ExplainedRecord } from '../service/read-together.ts'
import { type Check, unchecked, withoutEvidence } from '../tier.ts'
import { findVenue, type Venues } from '../venues.ts'
import type { Blocks, OpenedBlock } from './blocks.ts'
import type { RunContext } from './run-context.ts'
import { verifyHistory } from './verify-history.ts'
import { verifyNumbers } from './verify-numbers.ts'

const noVenue = 'the network file does not name the one PoolManager of v4 pools'

/** A v3 pool answers for itself, whatever its factory is. */
const toPublishedPool = (row: PoolView, venues: Venues): PublishedPool | null => {
  const venue = findVenue(venues, row)
  if (venue === null && getProtocol(row.protocol).emitter === 'singleton') return null
  const { id, protocol, sqrtPriceX96, tick, liquidity } = row
  return {
    ...{ id, protocol, sqrtPriceX96, tick, liquidity },
    venue: venue?.address ?? row.token0,
    stateView: venue?.stateView ?? null,
    initCodeHash: venue?.initCodeHash ?? null,
  }
}

const uncheckedFields = (
  tier: 'state' | 'proof',
  row: PoolView,
  reason: string,
): readonly Check[] => {
  const { id, protocol, sqrtPriceX96, tick, liquidity } = row
  const pool = { id, protocol, sqrtPriceX96, tick, liquidity, venue: row.token0 }
  return eachField({ ...pool, stateView: null, initCodeHash: null }, (field, published) =>
    unchecked({ tier, subject: id, field }, reason, published),
  )
}

/** The tiers state and proof of rows of one block. */
export const verifyRows = async (
  { node, blocks, venues, tiers }: RunContext,
  at: RecordBlock,
  rows: readonly PoolView[],
): Promise<{ readonly opened: OpenedBlock; readonly checks: readonly Check[] }> => {
  const opened = await blocks.open(at)
  const wanted = (['state', 'proof'] as const).filter((tier) => tiers.has(tier))
  const checks: Check[] = opened.checks.filter(({ tier }) => tiers.has(tier))
  if (tiers.has('state'))
    checks.push(...rows.flatMap((row) => [checkIdentity(row, venues), ...checkSides(row)]))
  const all = rows.map((row) => ({ row, pool: toPublishedPool(row, venues) }))
  const pools = all.flatMap(({ pool }) => pool ?? [])
  for (const { row, pool } of all) {
    if (pool === null) checks.push(...wanted.flatMap((t) => uncheckedFields(t, row, noVenue)))
  }
  if (tiers.has('state') && opened.at !== null) {
    checks.push(...(await checkPoolStates(node, pools, opened.at)))
  }
  if (tiers.has('proof') && opened.evidence !== null) {
    checks.push(...(await checkPoolProofs(node, opened.evidence.header, pools)))
  }
  return { opened, checks }
}

/** Blocks of the newest published swaps that are proved, besides that of the record. */
const swapBlocksMax = 8

const swapBlocksOf = ({ at, swaps, swapsFrom }: PublishedRecord): readonly number[] => {
  const blocks = new Set(swaps.map(({ block }) => block).filter((block) => block >= swapsFrom))
  blocks.delete(at.block)
  return [...blocks].slice(0, swapBlocksMax)
}

const decimalsOf = async (
  { node }: RunContext,
  { row }: PublishedRecord,
  { at }: OpenedBlock,
): Promise<Decimals> => {
  if (at === null) return unknownDecimals
  const [decimals0, decimals1] = await readDecimals(node, [row.token0, row.token1], at)
  return decimals0 && decimals1 ? { decimals0, decimals1 } : unknownDecimals
}

/** The block of the last swap, which may be older than the listed ones. */
const verifyLastSwap = async (
  blocks: Blocks,
  row: PoolView,
  venue: Venue | null,
): Promise<readonly Check[]> => {
  if (row.lastSwapBlock === null) return []
  const of = { tier: 'logs', subject: row.id, field: 'lastSwapBlock' } as const
  const found = await blocks.evidenceAt(row.lastSwapBlock)
  return found.ok
    ? checkLastSwap(found.value, row, venue)
    : [withoutEvidence(of, found.fault, String(row.lastSwapBlock))]
}

/** The logs tier: the record's block, the blocks of its newest swaps, that of its creation. */
const verifyLogs = async (
  { blocks, venues }: RunContext,
  record: PublishedRecord,
  { opened, decimals }: { readonly opened: OpenedBlock; readonly decimals: Decimals },
): Promise<readonly Check[]> => {
  const { row, swapsFrom, at } = record
  const venue = findVenue(venues, row)
  const checks: Check[] = []
  const { evidence } = opened
  if (evidence !== null && at.block >= swapsFrom) {
    checks.push(...(await checkSwaps(evidence, record, { venue, decimals })))
  }
  for (const block of swapBlocksOf(record)) {
    const of = { tier: 'logs', subject: row.id, field: `swaps of block ${block}` } as const
    const found = await blocks.evidenceAt(block)
    checks.push(
      ...(found.ok
        ? await checkSwaps(found.value, record, { venue, decimals })
        : [withoutEvidence(of, found.fault)]),
    )
  }
  const last = await verifyLastSwap(blocks, row, venue)
  const of = { tier: 'logs', subject: row.id, field: 'createdBlock' } as const
  const created = await blocks.evidenceAt(row.createdBlock)
  const creation = created.ok
    ? await checkCreation(created.value, record, venue)
    : [withoutEvidence(of, created.fault, String(row.createdBlock))]
  return [...checks, ...last, ...creation]
}

/** All tiers that one record can be checked by. */
export const verifyRecord = async (
  context: RunContext,
  explained: ExplainedRecord,
): Promise<readonly Check[]> => {
  const { record, provenance } = explained
  const { tiers } = context
  const { row, at } = record
  const { opened, checks } = await verifyRows(context, at, [row])
  const isMore = tiers.has('logs') || tiers.has('numbers')
  const decimals = isMore ? await decimalsOf(context, record, opened) : unknownDecimals
  const logs = tiers.has('logs') ? await verifyLogs(context, record, { opened, decimals }) : []
  const header = opened.evidence?.header ?? null
  const numbers = tiers.has('numbers')
    ? await verifyNumbers(context, { record, provenance, decimals }, header)
    : []
  const history = tiers.has('history') ? await verifyHistory(context, explained, header) : []
  return [...checks, ...logs, ...numbers, ...history]
}
