import type { UnixSeconds } from '../../domain/units.ts'
import type { ChainIdentity, StoreHeader } from '../../ports/store-rows.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'
import { headerAtBirth } from './header-table.ts'

/** An origin that one side does not know yet contradicts nothing. */
const isSameChain = (stored: ChainIdentity, claimed: ChainIdentity): boolean =>
  stored.chainId === claimed.chainId &&
  stored.network === claimed.network &&
  (stored.originHash === claimed.originHash ||
    stored.originHash === null ||
    claimed.originHash === null)

/** No chain ever answered for it: perhaps the identity was mistyped. */
const isUnproved = ({ identity, indexed }: StoreHeader): boolean =>
  identity.originHash === null && indexed === null

/** All that can be written before the chain was reached. */
const tablesBeforeChain = ['sources', 'quotes', 'reference_points', 'reserves', 'tokens', 'stocks']

export const createBegin = (connection: Connection, header: HeaderRow) => {
  const clearings = tablesBeforeChain.map((name) => connection.prepare(`DELETE FROM ${name}`))

  /** What the store is to a claimant; null if it is another's for good. */
  const standingFor = (identity: ChainIdentity, startedTs: UnixSeconds): StoreHeader | null => {
    const stored = header.read()
    if (stored === null) return headerAtBirth(identity, startedTs)
    if (isSameChain(stored.identity, identity)) return stored
    if (!isUnproved(stored)) return null
    for (const clearing of clearings) clearing.run([])
    // Readers that look on already must see that something changed.
    return { ...headerAtBirth(identity, startedTs), revision: stored.revision + 1 }
  }

  return (identity: ChainIdentity, startedTs: UnixSeconds): 'ready' | 'other-chain' =>
    connection.write(() => {
      const standing = standingFor(identity, startedTs)
      if (standing === null) return 'other-chain'
      const originHash = standing.identity.originHash ?? identity.originHash
      header.save({
        ...standing,
        identity: { ...identity, originHash },
        writerStartedTs: startedTs,
      })
      return 'ready'
    })
}
