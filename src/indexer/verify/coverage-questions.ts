import { addressAt, parseWords, uint256At } from '../../domain/dex/abi-words.ts'
import type { PoolListing } from '../../domain/dex/protocol.ts'
import { type Address, type Hex, nativeAddress } from '../../domain/units.ts'
import type { CallResult, ContractCall } from '../../ports/chain-reader.ts'

const callOf = (to: Address, selector: Hex, words: readonly string[]): ContractCall => ({
  to,
  data: `${selector}${words.map((digits) => digits.padStart(64, '0')).join('')}`,
})

/** A venue whose contracts list its pools. */
export type ListingFactory = { readonly address: Address; readonly listing: PoolListing }

export type KeyQuestion = {
  readonly factory: ListingFactory
  /** A fee or a tick spacing. */
  readonly key: number
  readonly call: ContractCall
}

export type PoolQuestion = {
  readonly factory: Address
  readonly stock: Address
  readonly call: ContractCall
}

/** Asks each factory which of the known keys it has enabled. */
export const listKeyQuestions = (factories: readonly ListingFactory[]): readonly KeyQuestion[] =>
  factories.flatMap((factory) =>
    factory.listing.keys.map((key) => ({
      ...{ factory, key },
      call: callOf(factory.address, factory.listing.enabled, [key.toString(16)]),
    })),
  )

/** Only an answer of zero says that the key has no pools. */
export const mayHavePools = (answer: CallResult | undefined): boolean => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  return words === null || uint256At(words, 0) !== 0n
}

/** Asks each factory for the pools of the stocks with the trusted tokens at its keys. */
export const listPoolQuestions = (
  keys: readonly KeyQuestion[],
  stocks: readonly Address[],
  trusted: readonly Address[],
): readonly PoolQuestion[] =>
  keys.flatMap(({ factory: { address: factory, listing }, key }) =>
    stocks.flatMap((stock) =>
      trusted.map((token) => ({
        ...{ factory, stock },
        call: callOf(factory, listing.pool, [stock.slice(2), token.slice(2), key.toString(16)]),
      })),
    ),
  )

/** The address in an answer; null for the zero address and for anything else. */
export const poolOf = (answer: CallResult | undefined): Address | null => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  const id = words && addressAt(words, 0)
  return id === nativeAddress ? null : id
}
