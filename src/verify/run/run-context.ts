import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import type { ServiceReader } from '../service/service-reader.ts'
import type { Tier } from '../tier.ts'
import type { Venues } from '../venues.ts'
import type { VerifierNode } from '../verifier-node.ts'
import type { Blocks } from './blocks.ts'

/** What all records of a run are checked with. */
export type RunContext = {
  readonly node: VerifierNode
  readonly blocks: Blocks
  readonly venues: Venues
  /** By the reader's own network file; null where there is none. */
  readonly standardOf: StandardOf | null
  readonly tiers: ReadonlySet<Tier>
  readonly service: ServiceReader
  /** Methodology that the service computes by. */
  readonly version: string
}
