import type { Omission, Sample } from './figure.ts'
import type { BenchOptions } from './options.ts'

/** What a group of rows works with. */
export type BenchContext = {
  readonly options: BenchOptions
  /** Empty, and removed at the end. */
  readonly directory: string
  /** One line of how far it is. */
  readonly say: (text: string) => void
  readonly isSelected: (row: number) => boolean
}

export type OpenGroup = {
  /** Measures everything once, what is compared in turns; throws where an answer is wrong. */
  readonly round: () => Promise<readonly Sample[]>
  readonly omissions: () => readonly Omission[]
  readonly close: () => Promise<void>
}

/** Rows that are measured on the same stage. */
export type Group = {
  readonly name: string
  readonly rows: readonly number[]
  readonly open: (scene: BenchContext) => Promise<OpenGroup>
}
