import type { Address, Hex } from 'viem'

/** The DEXes of the chain, as people call them. */
export type VenueName = 'Uniswap v3' | 'Uniswap v4' | 'Fork v3'

export type VenueContracts = {
  /** Of Uniswap v3. */
  readonly factory: Address
  /** Of a fork that kept the contracts of Uniswap v3: another deployment of the same bytecode. */
  readonly forkFactory: Address
  readonly poolManager: Address
}

/** The factory or PoolManager of a venue. */
export const addressOfVenue = (
  { factory, forkFactory, poolManager }: VenueContracts,
  venue: VenueName,
): Address => {
  switch (venue) {
    case 'Uniswap v3':
      return factory
    case 'Fork v3':
      return forkFactory
    case 'Uniswap v4':
      return poolManager
  }
}

/** keccak256 of UniswapV3Pool's creation code, the same everywhere (v3-periphery PoolAddress). */
export const v3InitCodeHash: Hex =
  '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'
