import type { BlockRef } from '../domain/chain/block-ref.ts'
import { getProtocol } from '../domain/dex/find-protocol.ts'
import type { ContractState } from '../domain/dex/protocol.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PoolIdentity } from '../domain/pool/pool-state.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import { type ChainReader, isUnanswered, type RpcFault } from '../ports/chain-reader.ts'

/**
 * The pools' states from their contracts at a block, in the order of the pools. Null for a pool
 * without a contract to call, and for answers that are not a state. Fails if the node refused a
 * call: a pool whose contract was not heard has a state.
 */
export const readPoolStates = async (
  pools: readonly PoolIdentity[],
  at: BlockNumber | BlockRef | 'latest',
  deps: {
    readonly chain: ChainReader
    /** The StateView of a v4 PoolManager; null if the network file has none. */
    readonly stateViewOf: (venue: Address) => Address | null
  },
): Promise<Outcome<readonly (ContractState | null)[], RpcFault>> => {
  const callsByPool = pools.map(({ id, protocol, venue }) =>
    getProtocol(protocol).stateCalls(id, deps.stateViewOf(venue)),
  )
  const calls = callsByPool.flatMap((each) => each ?? [])
  const results = await deps.chain.callContracts(calls, at)
  if (!results.ok) return results
  if (results.value.some(isUnanswered)) {
    return failure({ kind: 'rejected', detail: 'endpoint refused to read a pool state' })
  }
  const remaining = results.value.values()
  return success(
    pools.map(({ protocol }, position) => {
      const [slot0, liquidity, fee] = (callsByPool[position] ?? []).map(
        () => remaining.next().value,
      )
      if (!slot0?.ok || !liquidity?.ok) return null
      const answers = { slot0: slot0.data, liquidity: liquidity.data }
      return getProtocol(protocol).decodeState(fee?.ok ? { ...answers, fee: fee.data } : answers)
    }),
  )
}
