import type { PoolView } from '../domain/views/pool.ts'
import { type Check, type CheckSubject, compareTexts, unchecked } from './tier.ts'
import { computeIds, type PoolKeyView, type Venues } from './venues.ts'

const reason = 'tokens, fee, tick spacing, hooks and deployer are those of another pool'

/**
 * State tier: the id of a pool follows from its tokens, fee, tick spacing and hooks (v4), or from
 * its factory, tokens and fee (v3), so a pool of another venue or another key has another id.
 */
export const checkIdentity = (key: PoolKeyView, venues: Venues): Check => {
  const of: CheckSubject = { tier: 'state', subject: key.id, field: 'id' }
  const computed = computeIds(venues, key)
  const [first] = computed
  if (first === undefined) {
    return unchecked(of, 'the network file names no factory with its initCodeHash', key.id)
  }
  const proved = computed.includes(key.id) ? key.id : first
  return compareTexts(of, { published: key.id, proved }, reason)
}

/** State tier: the stock and the other token are the two tokens of the pool. */
export const checkSides = (row: PoolView): readonly Check[] => {
  const { id, token0, token1, stockIsToken0, stockAddress, otherAddress } = row
  const [stock, other] = stockIsToken0 ? [token0, token1] : [token1, token0]
  const compare = (field: string, published: string, proved: string): Check =>
    compareTexts(
      { tier: 'state', subject: id, field },
      { published, proved },
      'the pool has another token on this side',
    )
  return [
    compare('stockAddress', stockAddress, stock),
    compare('otherAddress', otherAddress, other),
  ]
}
