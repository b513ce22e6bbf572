import type { BlockRef } from '../domain/chain/block-ref.ts'
import { parseWords, uint256At } from '../domain/dex/abi-words.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { PoolIdentity } from '../domain/pool/pool-state.ts'
import type { BlockNumber } from '../domain/units.ts'
import {
  type CallResult,
  type ChainReader,
  isUnanswered,
  type RpcFault,
} from '../ports/chain-reader.ts'

/** balanceOf(address) */
const balanceSelector = '0x70a08231'

/** Raw amounts; null for a token that does not say. */
export type PoolBalances = { readonly amount0: bigint | null; readonly amount1: bigint | null }

const readBalance = (answer: CallResult | undefined): bigint | null => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  return words && uint256At(words, 0)
}

/**
 * What pools that are contracts of their own hold at a block, in the order of the pools. Null for a
 * pool of which the node refused a call.
 */
export const readPoolBalances = async (
  chain: ChainReader,
  pools: readonly PoolIdentity[],
  at: BlockNumber | BlockRef,
): Promise<Outcome<readonly (PoolBalances | null)[], RpcFault>> => {
  const calls = pools.flatMap(({ id, key }) =>
    [key.token0, key.token1].map(
      (to) => ({ to, data: `${balanceSelector}${id.slice(2).padStart(64, '0')}` }) as const,
    ),
  )
  const answers = await chain.callContracts(calls, at)
  if (!answers.ok) return answers
  return success(
    pools.map((_, position) => {
      const [balance0, balance1] = answers.value.slice(position * 2)
      if (isUnanswered(balance0) || isUnanswered(balance1)) return null
      return { amount0: readBalance(balance0), amount1: readBalance(balance1) }
    }),
  )
}
