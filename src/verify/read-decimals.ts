import { parseWords, uint256At } from '../domain/dex/abi-words.ts'
import { decimalsMax } from '../domain/math/pool-price.ts'
import { known, type Reading, unknown } from '../domain/reading.ts'
import { type Address, type BlockNumber, type Hash, nativeAddress } from '../domain/units.ts'
import type { VerifierNode } from './verifier-node.ts'

const decimalsData = '0x313ce567'
const nativeDecimals = 18
/** The contract itself returns no decimals, or none that a token may have. */
export const noDecimals = 'no decimals'

const decodeDecimals = (data: `0x${string}`): Reading<number> => {
  const value = uint256At(parseWords(data, 1) ?? undefined, 0)
  return value !== null && value <= BigInt(decimalsMax) ? known(Number(value)) : unknown(noDecimals)
}

/** Decimals of tokens as their contracts return them; unknown where the node has no answer. */
export const readDecimals = async (
  node: VerifierNode,
  tokens: readonly Address[],
  at: { readonly block: BlockNumber; readonly hash: Hash },
): Promise<readonly Reading<number>[]> => {
  const contracts = tokens.filter((token) => token !== nativeAddress)
  const answers = await node.call(
    contracts.map((to) => ({ to, data: decimalsData })),
    at,
  )
  return tokens.map((token) => {
    if (token === nativeAddress) return known(nativeDecimals)
    const answer = answers[contracts.indexOf(token)]
    if (answer?.ok) return decodeDecimals(answer.value)
    return unknown(answer?.fault.kind === 'reverted' ? noDecimals : 'not answered')
  })
}
