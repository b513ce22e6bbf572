import type { ProgressStep } from '../progress-eta.ts'
import type { PoolCoverage } from '../status/pool-coverage.ts'
import type { PoolSearch } from '../status/pool-search.ts'
import type { SourceView } from '../status/source-state.ts'
import type { VenueCoverage } from '../status/venue-coverage.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'

export type ParameterView = {
  readonly name: string
  readonly in: 'path' | 'query'
  /** Rule for the value, as a sentence. */
  readonly rule: string
}

export type EndpointView = {
  readonly method: 'GET' | 'POST'
  /** `:name` stands for a parameter. */
  readonly path: string
  readonly summary: string
  readonly parameters: readonly ParameterView[]
}

/** The service and its endpoints. */
export type IndexView = {
  readonly service: 'stockpools'
  readonly version: 'v1'
  readonly network: string
  /** Whether everything shown is simulated. */
  readonly sandbox: boolean
  readonly notice: string | null
  /** Without a slash at the end. */
  readonly explorerUrl: string | null
  readonly endpoints: readonly EndpointView[]
}

export type HealthView = {
  readonly ok: boolean
  readonly ts: UnixSeconds
  readonly methodologyVersion: string
  readonly pools: {
    readonly total: number
    readonly active: number
    readonly hot: number
    readonly v3: number
    readonly v4: number
    readonly meme: number
    readonly canonical: number
  }
  readonly ethUsd: number | null
  readonly sources: readonly SourceView[]
}

export type PolicyView = {
  readonly quoteMaxAgeSeconds: number
  readonly poolMaxAgeSeconds: number
  readonly reserveMaxAgeSeconds: number
  readonly confirmations: number
}

export const writerStates = ['active', 'absent', 'unknown'] as const

/** The one process that may write a store which several share. */
export type WriterView = {
  /** `absent`: no process holds the lease; `unknown`: the store has not reported recently. */
  readonly state: (typeof writerStates)[number]
  /** Null when the lease was given back. */
  readonly holder: string | null
  /** Grows whenever another process takes over. */
  readonly generation: number
  /** Since the holder last renewed the lease, or gave it back. */
  readonly ageSeconds: number
}

export type ChainView = {
  readonly chainId: number
  readonly network: string
  readonly headBlock: BlockNumber | null
  readonly indexedBlock: BlockNumber | null
  readonly indexedTs: UnixSeconds | null
  readonly settledBlock: BlockNumber | null
  readonly lagBlocks: number | null
  readonly lagSeconds: number | null
  readonly backfill: ProgressStep & { readonly etaSeconds: number | null }
  /** Searches for pools of new contracts that are not complete. */
  readonly searches: readonly PoolSearch[]
  /** Null before the first audit. */
  readonly coverage: PoolCoverage | null
  readonly verified: boolean
  readonly repairs: number
  /** Null for a store without a lease, such as a file. */
  readonly writer: WriterView | null
}

/** What the audit of creation logs found of one venue; null before its first check. */
export type VenueCoverageView = VenueCoverage & { readonly venue: string }

export type StatusView = {
  readonly ts: UnixSeconds
  readonly policy: PolicyView
  readonly sources: readonly SourceView[]
  readonly chain: ChainView
  /** One row for each venue of the network file. */
  readonly coverage: readonly VenueCoverageView[]
}
