import type { PeerName } from './names.ts'

/** The task of a peer: index every pool of two venues. */
export type PeerTask = {
  readonly url: string
  readonly chainId: number
  readonly factory: string
  readonly manager: string
  readonly firstBlock: number
  readonly lastBlock: number
  /** Swaps and liquidity changes of those pools. */
  readonly events: number
  /** An empty database of its own. */
  readonly databaseUrl: string
}

export type PeerRun = {
  /** From the start to the last row in the database. */
  readonly seconds: number
  /** CPU of its processes, without the database. */
  readonly cpuSeconds: number
  readonly peakMb: number
  /** Requests to the node, and calls in them. */
  readonly requests: number
  readonly calls: number
}

export type Peer = {
  readonly name: PeerName
  /** Name in the table, with the version. */
  readonly title: string
  /** Pinned npm dependencies. */
  readonly packages: Readonly<Record<string, string>>
  /** Programs that its setup calls, installed in a separate folder. */
  readonly tools: Readonly<Record<string, string>>
  /** Overrides for dependencies whose requested version does not exist. */
  readonly overrides: Readonly<Record<string, string>>
  readonly type: 'module' | 'commonjs'
  /** Project files by path. */
  readonly files: (task: PeerTask) => Readonly<Record<string, string>>
  /** SQL that creates its tables; null if it creates them itself. */
  readonly setupSql: string | null
  /** Unmeasured commands before the run, from the peer's guide. */
  readonly prepare: readonly (readonly string[])[]
  readonly start: readonly string[]
  readonly environment: (task: PeerTask) => Readonly<Record<string, string>>
  /** SQL that counts the rows written so far. */
  readonly countQuery: string
}
