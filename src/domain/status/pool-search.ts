import type { Address, BlockNumber } from '../units.ts'

/** What pools are searched by: the stock they hold, their venue, or a trusted token. */
export const searchKinds = ['stock', 'venue', 'trusted'] as const

/** A contract whose pools are, or were, searched up to the cursor (methodology §8). */
export type PoolSearch = {
  readonly address: Address
  readonly kind: (typeof searchKinds)[number]
  /** First block; of a venue its start block, otherwise that of the first venue. */
  readonly fromBlock: BlockNumber
  /** Blocks read of `total`; the search is complete once both are equal. */
  readonly done: number
  readonly total: number
}

export const isComplete = ({ done, total }: PoolSearch): boolean => done === total
