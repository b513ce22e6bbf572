import type { Omission, Sample } from './figure.ts'
import type { BenchOptions } from './options.ts'

/** What a group of rows receives. */
export type BenchContext = {
  readonly options: BenchOptions
  /** Empty directory, removed afterwards. */
  readonly directory: string
  /** Prints one line of progress. */
  readonly say: (text: string) => void
  readonly isSelected: (row: number) => boolean
}

export type OpenGroup = {
  /** Measures every row once, alternating what is compared; throws if a result is wrong. */
  readonly round: () => Promise<readonly Sample[]>
  readonly omissions: () => readonly Omission[]
  readonly close: () => Promise<void>
}

/** Rows that share one setup. */
export type Group = {
  readonly name: string
  readonly rows: readonly number[]
  readonly open: (scene: BenchContext) => Promise<OpenGroup>
}
