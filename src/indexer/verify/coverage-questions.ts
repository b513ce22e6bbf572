import { addressAt, parseWords, uint256At } from '../../domain/dex/abi-words.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { CallResult, ContractCall } from '../../ports/chain-reader.ts'

/** getPool(address,address,uint24): UniswapV3Factory.sol */
const getPoolSelector = '1698ee82'
/** feeAmountTickSpacing(uint24): UniswapV3Factory.sol */
const tickSpacingSelector = '22afcccb'
/** Fees that Uniswap and its common forks use, of which each factory enables some. */
const knownFees: readonly number[] = [
  ...[100, 200, 300, 400, 500, 1000, 2000, 2500, 3000, 5000, 10_000, 20_000],
]

const callOf = (to: Address, selector: string, words: readonly string[]): ContractCall => ({
  to,
  data: `0x${selector}${words.map((digits) => digits.padStart(64, '0')).join('')}`,
})

export type FeeQuestion = {
  readonly factory: Address
  readonly fee: number
  readonly call: ContractCall
}

export type PoolQuestion = { readonly stock: Address; readonly call: ContractCall }

/** Asks each factory which of the known fees it has enabled. */
export const listFeeQuestions = (factories: readonly Address[]): readonly FeeQuestion[] =>
  factories.flatMap((factory) =>
    knownFees.map((fee) => ({
      ...{ factory, fee },
      call: callOf(factory, tickSpacingSelector, [fee.toString(16)]),
    })),
  )

/** Only an answer of zero says that the fee has no pools. */
export const mayHavePools = (answer: CallResult | undefined): boolean => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  return words === null || uint256At(words, 0) !== 0n
}

/** Asks each factory for the pools of the stocks with the trusted tokens at its fees. */
export const listPoolQuestions = (
  fees: readonly FeeQuestion[],
  stocks: readonly Address[],
  trusted: readonly Address[],
): readonly PoolQuestion[] =>
  fees.flatMap(({ factory, fee }) =>
    stocks.flatMap((stock) =>
      trusted.map((token) => ({
        stock,
        call: callOf(factory, getPoolSelector, [stock.slice(2), token.slice(2), fee.toString(16)]),
      })),
    ),
  )

/** The address in an answer; null for the zero address and for anything else. */
export const poolOf = (answer: CallResult | undefined): Address | null => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  const id = words && addressAt(words, 0)
  return id === nativeAddress ? null : id
}
