import type { Address, BlockNumber } from '../units.ts'

/** How many pools of a venue its creation logs report, up to a block (methodology §7). */
export type VenueCoverage = {
  readonly address: Address
  /** Those of them that the index has; null before the first check, as are the others. */
  readonly pools: number | null
  readonly expected: number | null
  /** Creation logs are read again up to this block. */
  readonly checkedBlock: BlockNumber | null
}

/** A venue's row with the counts of the running pass. */
export type VenuePass = VenueCoverage & {
  readonly found: number
  /** Those of `found` that the index lacks. */
  readonly lost: number
}

/** The running pass over the creation logs of all venues. */
export type CoveragePass = {
  readonly scannedTo: BlockNumber
  readonly venues: readonly VenuePass[]
}
