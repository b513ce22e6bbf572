import type { ChainLog } from '../domain/chain/log.ts'
import { getProtocol } from '../domain/dex/find-protocol.ts'
import { decodeLog } from '../domain/dex/protocol.ts'
import { paidFeeOf } from '../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venue } from '../domain/dex/venue.ts'
import type { PoolEvent } from '../domain/pool/pool-event.ts'
import { feeOfKey } from '../domain/pool/pool-fees.ts'
import { type Reading, unknown } from '../domain/reading.ts'
import type { Address, Hash } from '../domain/units.ts'
import { type SwapViewPool, toSwapView } from '../domain/valuation/value-swap.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { BlockEvidence } from './block-evidence.ts'
import { checkLogs, selectLogs } from './check-logs.ts'
import type { ProvenLog } from './prove-logs.ts'
import type { PublishedRecord } from './service/published-record.ts'
import { type Check, compareTexts, unchecked, withoutEvidence } from './tier.ts'

export type Decimals = { readonly decimals0: Reading<number>; readonly decimals1: Reading<number> }

/** Without decimals that are checked, amounts of swaps are left out. */
export const unknownDecimals: Decimals = {
  decimals0: unknown('decimals-unread'),
  decimals1: unknown('decimals-unread'),
}

const toChainLog = (log: ProvenLog, { header }: BlockEvidence): ChainLog => ({
  address: log.address,
  topics: log.topics,
  data: log.data,
  block: header.block,
  blockHash: header.hash,
  ts: header.ts,
  txHash: log.statedTransactionHash,
  txIndex: log.transactionIndex,
  logIndex: log.logIndex,
})

type Decoded = { readonly log: ProvenLog; readonly event: PoolEvent }

const decodeLogs = (
  logs: readonly ProvenLog[],
  evidence: BlockEvidence,
  row: Pick<PoolView, 'protocol'>,
): readonly Decoded[] =>
  logs.flatMap((log) => {
    const decoded = decodeLog(getProtocol(row.protocol), toChainLog(log, evidence))
    return decoded?.ok ? [{ log, event: decoded.event }] : []
  })

const noManager = 'the network file does not name the one PoolManager of v4 pools'
const noVenue = 'the network file does not decide the venue of the pool'

/** The contract and the first topics of a pool's swaps. */
const swapFilter = (
  row: PoolView,
  venue: Venue | null,
): { readonly address: Address; readonly topics: readonly Hash[] } | null => {
  const { emitter, swapTopic } = getProtocol(row.protocol)
  if (emitter === 'pool') return { address: row.id, topics: [swapTopic] }
  return venue && { address: venue.address, topics: [swapTopic, row.id] }
}

/** Fields of a swap that its log decides, in the order of the text. */
const logFields = [
  'side',
  'ts',
  'stockAmount',
  'otherAmount',
  'priceInOther',
  'sender',
  'recipient',
  'fee',
  'sqrtPriceX96',
  'tick',
] as const satisfies readonly (keyof SwapView)[]

/** Fields that need the decimals of the tokens as well. */
const amountFields = ['stockAmount', 'otherAmount', 'priceInOther'] as const

const textOf = (swap: Partial<SwapView>, without: readonly string[]): string =>
  logFields
    .filter((name) => !without.includes(name))
    .map((name) => `${name} ${swap[name] ?? 'null'}`)
    .join(', ')

const toView = ({ event }: Decoded, row: PoolView, decimals: Decimals): SwapView | null => {
  if (event.kind !== 'swapped') return null
  const { kind, stockIsToken0 } = row
  const fee = feeOfKey(row)
  const pool: SwapViewPool = { ...decimals, fee, classification: { kind, stockIsToken0 } }
  const unproved = { usdMicro: null, estimated: false, implausible: false, trader: null }
  const earned = { lpFee: null, feeYield: null }
  return toSwapView({ ...event, ...event.at, pool: 0, ...unproved, ...earned }, pool)
}

/** Whether the fee of a swap whose log has none is in other logs; else the service knows none. */
const hasFeeInOtherLogs = ({ protocol }: PoolView): boolean => getProtocol(protocol).logsLpFee

/** Each published swap of a block has the values of its log. */
const compareSwaps = (
  record: PublishedRecord,
  decoded: readonly Decoded[],
  decimals: Decimals,
): readonly Check[] => {
  const hasAmounts = decimals.decimals0.known && decimals.decimals1.known
  return decoded.flatMap((each) => {
    const { logIndex } = each.log
    const { block } = each.event.at
    const swap = record.swaps.find((one) => one.block === block && one.logIndex === logIndex)
    const view = toView(each, record.row, decimals)
    if (swap === undefined || view === null) return []
    const of = {
      tier: 'logs',
      subject: record.row.id,
      field: `swap at log ${logIndex} of block ${block}`,
    } as const
    const missing = amountFields.filter((name) => swap[name] === null && view[name] !== null)
    const unlogged = view.fee === null && hasFeeInOtherLogs(record.row) ? (['fee'] as const) : []
    const without = [...unlogged, ...(hasAmounts ? missing : amountFields)]
    const texts = { published: textOf(swap, without), proved: textOf(view, without) }
    const check = compareTexts(of, texts, 'the log has other values')
    if (check.outcome === 'differs' || missing.length === 0) return [check]
    const reason = `the service does not know ${missing.join(', ')}; the other values hold`
    return [unchecked(of, reason, texts.published)]
  })
}

/**
 * Logs tier: the service publishes exactly the swaps that a block holds, with the values of their
 * logs. The record must be complete from this block on.
 */
export const checkSwaps = async (
  evidence: BlockEvidence,
  record: PublishedRecord,
  { venue, decimals }: { readonly venue: Venue | null; readonly decimals: Decimals },
): Promise<readonly Check[]> => {
  const { row } = record
  const { block } = evidence.header
  const of = { tier: 'logs', subject: row.id, field: `swaps of block ${block}` } as const
  const filter = swapFilter(row, venue)
  if (filter === null) return [unchecked(of, noManager)]
  const swaps = record.swaps.filter((swap) => swap.block === block)
  const logs = [...swaps]
    .sort((one, other) => one.logIndex - other.logIndex)
    .map(({ logIndex, txHash }) => ({ logIndex, transactionHash: txHash }))
  const published = { subject: row.id, field: of.field, ...filter, logs }
  const check = await checkLogs(evidence, published)
  if (check.outcome !== 'equal' || swaps.length === 0) return [check]
  const proven = await evidence.logs()
  if (!proven.ok) return [withoutEvidence(of, proven.fault)]
  const decoded = decodeLogs(selectLogs(proven.value, published), evidence, row)
  return [check, ...compareSwaps(record, decoded, decimals)]
}

/** Logs tier: what the block of a pool's last swap says of it. */
export const checkLastSwap = async (
  evidence: BlockEvidence,
  row: PoolView,
  venue: Venue | null,
): Promise<readonly Check[]> => {
  const fields = ['lastSwapBlock', 'lastSwapTs', 'lastSwapFee'] as const
  const ofField = (field: string) => ({ tier: 'logs', subject: row.id, field }) as const
  const filter = swapFilter(row, venue)
  const logs = await evidence.logs()
  if (!logs.ok) return fields.map((field) => withoutEvidence(ofField(field), logs.fault))
  if (filter === null) return fields.map((field) => unchecked(ofField(field), noManager))
  const held = selectLogs(logs.value, { subject: row.id, field: '', ...filter, logs: [] })
  const last = decodeLogs(held, evidence, row).at(-1)
  const fee = last?.event.kind === 'swapped' ? paidFeeOf(last.event.fee, feeOfKey(row)) : null
  const { block, ts } = evidence.header
  const proved = last === undefined ? [null, null, null] : [block, ts, fee]
  return fields.map((field, index) => {
    const isUnlogged = last !== undefined && proved[index] === null
    if (isUnlogged && row[field] !== null && hasFeeInOtherLogs(row)) {
      return unchecked(ofField(field), 'the log of the swap has no fee', String(row[field]))
    }
    const texts = { published: String(row[field]), proved: String(proved[index]) }
    return compareTexts(ofField(field), texts, 'the block of the last swap says otherwise')
  })
}

/** Logs tier: the block that a pool was created in holds the log that created it. */
export const checkCreation = async (
  evidence: BlockEvidence,
  { row }: PublishedRecord,
  venue: Venue | null,
): Promise<readonly Check[]> => {
  const ofField = (field: string) => ({ tier: 'logs', subject: row.id, field }) as const
  const published = String(row.createdBlock)
  if (venue === null) return [unchecked(ofField('createdBlock'), noVenue, published)]
  const logs = await evidence.logs()
  if (!logs.ok) return [withoutEvidence(ofField('createdBlock'), logs.fault, published)]
  const created = decodeLogs(logs.value, evidence, row).find(
    ({ event, log }) =>
      event.kind === 'created' && event.poolId === row.id && log.address === venue.address,
  )
  const proved = created === undefined ? null : String(evidence.header.block)
  const reason = 'that block holds no log that created the pool'
  const block = compareTexts(ofField('createdBlock'), { published, proved }, reason)
  if (created?.event.kind !== 'created') return [block]
  const { key } = created.event
  if (getProtocol(row.protocol).hasSettings) {
    const reason = 'logs after the creation set it'
    return [block, unchecked(ofField('tickSpacing'), reason, String(row.tickSpacing))]
  }
  const spacing = { published: String(row.tickSpacing), proved: String(key.tickSpacing) }
  return [
    block,
    compareTexts(ofField('tickSpacing'), spacing, 'the pool was created with another one'),
  ]
}
