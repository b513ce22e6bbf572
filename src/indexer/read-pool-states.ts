import type { BlockRef } from '../domain/chain/block-ref.ts'
import { getProtocol } from '../domain/dex/find-protocol.ts'
import type { ContractState } from '../domain/dex/protocol.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { PoolIdentity } from '../domain/pool/pool-state.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import type { ChainReader, RpcFault } from '../ports/chain-reader.ts'

/**
 * What the contracts of these pools report at a block, in order; null for a pool that no contract
 * can be asked about, or whose answers are not a state.
 */
export const readPoolStates = async (
  pools: readonly PoolIdentity[],
  at: BlockNumber | BlockRef,
  deps: {
    readonly chain: ChainReader
    /** The StateView that belongs to a v4 PoolManager; null where the network names none. */
    readonly stateViewOf: (venue: Address) => Address | null
  },
): Promise<Outcome<readonly (ContractState | null)[], RpcFault>> => {
  const asked = pools.map(({ id, version, venue }) =>
    getProtocol(version).stateCalls(id, deps.stateViewOf(venue)),
  )
  const calls = asked.flatMap((each) => each ?? [])
  const answers = await deps.chain.callContracts(calls, at)
  if (!answers.ok) return answers
  const next = answers.value.values()
  return success(
    pools.map(({ version }, position) => {
      if (asked[position] === null) return null
      const [slot0, liquidity] = [next.next().value, next.next().value]
      if (!slot0?.ok || !liquidity?.ok) return null
      return getProtocol(version).decodeState({ slot0: slot0.data, liquidity: liquidity.data })
    }),
  )
}
