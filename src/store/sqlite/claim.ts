import type { ChainIdentity } from '../../domain/chain/chain-identity.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { planClaim, tablesBeforeChain } from '../shared/standing.ts'
import type { Connection } from './connection.ts'
import type { HeaderRow } from './header.ts'

export const createBegin = (connection: Connection, header: HeaderRow) => {
  const clearings = tablesBeforeChain.map((name) => connection.prepare(`DELETE FROM ${name}`))
  return (identity: ChainIdentity, startedTs: UnixSeconds): 'ready' | 'other-chain' =>
    connection.write(() => {
      const plan = planClaim(identity, startedTs, header.read())
      if (plan.clears) for (const clearing of clearings) clearing.run([])
      if (plan.header !== null) header.save(plan.header)
      return plan.answer
    })
}
