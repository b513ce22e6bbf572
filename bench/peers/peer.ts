import type { PeerName } from './names.ts'

/** What a peer is asked to index: all pools of two venues, whatever tokens they hold. */
export type PeerTask = {
  readonly url: string
  readonly chainId: number
  readonly factory: string
  readonly manager: string
  readonly firstBlock: number
  readonly lastBlock: number
  /** Events (swaps and changes of liquidity) of those pools, as the chain knows. */
  readonly events: number
  /** A database of its own, where it needs one. */
  readonly databaseUrl: string
}

export type PeerRun = {
  /** From its start to the last row in its database. */
  readonly seconds: number
  /** Of its processes, without the database's. */
  readonly cpuSeconds: number
  readonly peakMb: number
  /** Requests to the node, and calls in them. */
  readonly requests: number
  readonly calls: number
}

export type Peer = {
  readonly name: PeerName
  /** As the table calls it, with its version. */
  readonly title: string
  /** What npm is to bring, pinned. */
  readonly packages: Readonly<Record<string, string>>
  /** Programs that its own set-up calls, in a folder that it does not touch. */
  readonly tools: Readonly<Record<string, string>>
  /** Versions that npm has in the place of those that a package names in vain. */
  readonly overrides: Readonly<Record<string, string>>
  readonly type: 'module' | 'commonjs'
  /** The project around it, by path. */
  readonly files: (task: PeerTask) => Readonly<Record<string, string>>
  /** What its migration would create; null where it creates its tables itself. */
  readonly setupSql: string | null
  /** Commands that go before the run and do not count, as the peer's own guide has them. */
  readonly prepare: readonly (readonly string[])[]
  readonly start: readonly string[]
  readonly environment: (task: PeerTask) => Readonly<Record<string, string>>
  /** One number: the rows that it has written so far. */
  readonly countQuery: string
}
