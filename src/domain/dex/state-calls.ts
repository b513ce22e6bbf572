import type { PoolIdentity } from '../pool/pool-state.ts'
import type { Address, Hex } from '../units.ts'
import { int24At, parseWords, uint128At, uint160At } from './abi-words.ts'

/** A pool's present state as its contract tells it. */
export type ContractState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

export type StateCall = { readonly to: Address; readonly data: Hex }

/** v3 IUniswapV3PoolState: slot0() has seven words, liquidity() one. */
const v3Slot0 = '0x3850c7bd'
const v3Liquidity = '0x1a686502'
const v3Slot0Words = 7
/** v4-periphery StateView: getSlot0(bytes32) has four words, getLiquidity(bytes32) one. */
const v4Slot0 = '0xc815641c'
const v4Liquidity = '0xfa6793d5'
const v4Slot0Words = 4

/** The two calls that tell a pool's state; null for a v4 pool without a StateView to ask. */
export const stateCallsOf = (
  { version, id }: Pick<PoolIdentity, 'version' | 'id'>,
  stateView: Address | null,
): readonly [StateCall, StateCall] | null => {
  if (version === 'v3') {
    return [
      { to: id, data: v3Slot0 },
      { to: id, data: v3Liquidity },
    ]
  }
  if (stateView === null) return null
  return [
    { to: stateView, data: `${v4Slot0}${id.slice(2)}` },
    { to: stateView, data: `${v4Liquidity}${id.slice(2)}` },
  ]
}

/** The state out of the two answers, or null if they are not of a pool's shape. */
export const stateFromAnswers = (
  version: PoolIdentity['version'],
  answers: { readonly slot0: Hex; readonly liquidity: Hex },
): ContractState | null => {
  const slot0Words = version === 'v3' ? v3Slot0Words : v4Slot0Words
  const slot0 = parseWords(answers.slot0, slot0Words)
  const one = parseWords(answers.liquidity, 1)
  const sqrtPriceX96 = slot0 && uint160At(slot0, 0)
  const tick = slot0 && int24At(slot0, 1)
  const liquidity = one && uint128At(one, 0)
  if (sqrtPriceX96 === null || tick === null || liquidity === null) return null
  return { sqrtPriceX96, tick, liquidity }
}
