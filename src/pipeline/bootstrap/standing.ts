import type { Anchor } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { ChainReader, RpcFault } from '../../ports/chain.ts'

/** Whether a block is still the chain's: if so, what was read of it and below is of one branch. */
export const isStanding = async (
  chain: ChainReader,
  { block, hash }: Anchor,
): Promise<Outcome<boolean, RpcFault>> => {
  const now = await chain.anchor(block)
  return now.ok ? success(now.value.hash === hash) : now
}
