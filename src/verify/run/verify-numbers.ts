import { methodologyVersion } from '../../domain/methodology.ts'
import type { SwapLists } from '../../domain/provenance/recompute.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import { checkInputs } from '../check-inputs.ts'
import { checkNumbers, toSwapAmounts } from '../check-numbers.ts'
import type { Decimals } from '../check-swaps.ts'
import { checkTicks } from '../check-ticks.ts'
import { poolSlotsOf } from '../layout/uniswap.ts'
import type { ProvenHeader } from '../prove-header.ts'
import type { ServiceReader } from '../service/service-reader.ts'
import { type Check, unchecked } from '../tier.ts'
import { findVenue } from '../venues.ts'
import type { RunContext } from './run-context.ts'

/** The swaps of an hour and a day up to the block, as the service lists them. */
const readSwapLists = async (
  service: ServiceReader,
  { id }: PoolView,
  { block, ts }: ProvenHeader,
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
  if (!tiers.has('proof') || (venue === null && row.version === 'v4')) return []
  const { address } = poolSlotsOf({ ...row, venue: venue?.address ?? row.token0 })
  return checkTicks({ node, header }, row, { address, ticks: provenance.ticks })
}

/** The numbers tier, and proofs of the list of ticks that numbers are computed from. */
export const verifyNumbers = async (
  context: RunContext,
  {
    row,
    provenance,
    decimals,
  }: {
    readonly row: PoolView
    readonly provenance: PoolProvenanceView | null
    readonly decimals: Decimals
  },
  header: ProvenHeader | null,
): Promise<readonly Check[]> => {
  const { service, node, version } = context
  const other = otherVersion(version) ?? (provenance && otherVersion(provenance.methodologyVersion))
  if (other !== null) return whole(row, other)
  if (provenance === null) {
    return whole(row, 'the service explains no number of this record at its block')
  }
  const lists = header === null ? {} : await readSwapLists(service, row, header)
  const numbers = checkNumbers(row, provenance, lists)
  if (header === null) return numbers
  const inputs = await checkInputs({ node, header }, { row, provenance }, decimals)
  const ticks = await verifyTicks(context, row, { header, provenance })
  return [...numbers, ...inputs, ...ticks]
}
