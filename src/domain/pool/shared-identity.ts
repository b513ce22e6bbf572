import { createMemo } from '../memo.ts'
import type { Hex } from '../units.ts'
import type { PoolIdentity } from './pool-state.ts'

/** Stocks, trusted tokens, venues and hooks of most pools; a meme's address is of one pool only. */
const addressesMax = 4096

const shared = createMemo(addressesMax, (address: Hex): Hex => address)

/**
 * The same identity in less memory: each log and each row brings its own copy of an address, and
 * one copy of those that many pools have in common is enough for all of them.
 */
export const sharedIdentity = (identity: PoolIdentity): PoolIdentity => {
  const { token0, token1, fee, tickSpacing, hooks } = identity.key
  return {
    ...identity,
    venue: shared(identity.venue),
    key: {
      token0: shared(token0),
      token1: shared(token1),
      fee,
      tickSpacing,
      hooks: hooks === null ? null : shared(hooks),
    },
  }
}
