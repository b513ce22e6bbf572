import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { methodologyVersion } from '../../domain/methodology.ts'
import type { SwapLists } from '../../domain/provenance/recompute.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import { checkInputs } from '../check-inputs.ts'
import { checkNumbers, toSwapAmounts } from '../check-numbers.ts'
import type { Decimals } from '../check-swaps.ts'
import { checkTicks } from '../check-ticks.ts'
import type { ProvenHeader } from '../prove-header.ts'
import type { PublishedRecord } from '../service/published-record.ts'
import type { ServiceReader } from '../service/service-reader.ts'
import { type Check, unchecked } from '../tier.ts'
import { findVenue } from '../venues.ts'
import type { RunContext } from './run-context.ts'

/** The swaps of an hour and a day up to the block and its time, as the service lists them. */
const readSwapLists = async (
  service: ServiceReader,
  { id }: PoolView,
  { block, ts }: { readonly block: BlockNumber; readonly ts: UnixSeconds },
): Promise<SwapLists> => {
  const read = async (seconds: number) => {
    const range = { from: Math.max(0, ts - seconds + 1), to: ts }
    const swaps = await service.readSwaps(id, range)
    if (!swaps.ok) return null
    // Later blocks may have the same second.
    return toSwapAmounts(swaps.value.filter((swap) => swap.block <= block))
  }
  const [swaps1h, swaps24h] = [await read(secondsPerHour), await read(secondsPerDay)]
  return { ...(swaps1h && { swaps1h }), ...(swaps24h && { swaps24h }) }
}

const otherVersion = (version: string): string | null =>
  version === methodologyVersion
    ? null
    : `the service computes by methodology ${version}, this program by ${methodologyVersion}`

const whole = (row: PoolView, reason: string): readonly Check[] => [
  unchecked({ tier: 'numbers', subject: row.id, field: 'all numbers' }, reason),
]

/** The list of ticks is an input of reserves and depth, and is proved like the state. */
const verifyTicks = async (
  { node, venues, tiers }: RunContext,
  row: PoolView,
  { header, provenance }: { header: ProvenHeader; provenance: PoolProvenanceView },
): Promise<readonly Check[]> => {
  const venue = findVenue(venues, row)
  if (!tiers.has('proof') || (venue === null && getProtocol(row.protocol).emitter === 'singleton'))
    return []
  const initCodeHash = venue?.initCodeHash ?? null
  const place = { ...row, venue: venue?.address ?? row.token0, initCodeHash }
  return checkTicks({ node, header }, row, { place, ticks: provenance.ticks })
}

/** The block whose time is that of the record, which of the past may be an earlier one. */
const readTimeHeader = async (
  { blocks }: RunContext,
  { tsBlock }: PublishedRecord,
  header: ProvenHeader,
): Promise<ProvenHeader | null> => {
  if (tsBlock === header.block) return header
  const evidence = await blocks.evidenceAt(tsBlock)
  return evidence.ok ? evidence.value.header : null
}

/** The numbers tier, and proofs of the list of ticks that numbers are computed from. */
export const verifyNumbers = async (
  context: RunContext,
  {
    record,
    provenance,
    decimals,
  }: {
    readonly record: PublishedRecord
    readonly provenance: PoolProvenanceView | null
    readonly decimals: Decimals
  },
  header: ProvenHeader | null,
): Promise<readonly Check[]> => {
  const { service, node, version, standardOf } = context
  const { row } = record
  const other = otherVersion(version) ?? (provenance && otherVersion(provenance.methodologyVersion))
  if (other !== null) return whole(row, other)
  if (provenance === null) {
    return whole(row, 'the service explains no number of this record at its block')
  }
  if (header === null) return checkNumbers(row, provenance, {})
  const timeHeader = await readTimeHeader(context, record, header)
  const end = timeHeader && { block: header.block, ts: timeHeader.ts }
  const lists = end === null ? {} : await readSwapLists(service, row, end)
  const numbers = checkNumbers(row, provenance, lists)
  const chain = { node, header, timeHeader, standardOf }
  const inputs = await checkInputs(chain, { record, provenance }, decimals)
  const ticks = await verifyTicks(context, row, { header, provenance })
  return [...numbers, ...inputs, ...ticks]
}
