import type { Address, Hex } from 'viem'

/** The DEXes of the chain, as people call them. */
export type VenueName = 'Uniswap v3' | 'Uniswap v4' | 'Fork v3' | 'PancakeSwap v3'

export type VenueContracts = {
  /** Of Uniswap v3. */
  readonly factory: Address
  /** Of a fork that kept the contracts of Uniswap v3: another deployment of the same bytecode. */
  readonly forkFactory: Address
  readonly pancakeFactory: Address
  readonly pancakePoolDeployer: Address
  readonly poolManager: Address
}

/** The factory or PoolManager of a venue. */
export const addressOfVenue = (contracts: VenueContracts, venue: VenueName): Address => {
  switch (venue) {
    case 'Uniswap v3':
      return contracts.factory
    case 'Fork v3':
      return contracts.forkFactory
    case 'PancakeSwap v3':
      return contracts.pancakeFactory
    case 'Uniswap v4':
      return contracts.poolManager
  }
}

/** Whose rules its contracts follow, as the service calls them. */
export const protocolOfVenue = {
  'Uniswap v3': 'uniswap-v3',
  'Fork v3': 'uniswap-v3',
  'PancakeSwap v3': 'pancakeswap-v3',
  'Uniswap v4': 'uniswap-v4',
} as const satisfies Record<VenueName, string>

/** keccak256 of UniswapV3Pool's creation code, the same everywhere (v3-periphery PoolAddress). */
export const v3InitCodeHash: Hex =
  '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

/** keccak256 of PancakeV3Pool's creation code (pancake-v3-contracts, PoolAddress). */
export const pancakeInitCodeHash: Hex =
  '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2'

/** What the address of a pool follows from by CREATE2, besides its tokens and its fee. */
export const poolOriginOf = (
  contracts: VenueContracts,
  venue: VenueName,
): { readonly from: Address; readonly bytecodeHash: Hex } =>
  venue === 'PancakeSwap v3'
    ? { from: contracts.pancakePoolDeployer, bytecodeHash: pancakeInitCodeHash }
    : { from: addressOfVenue(contracts, venue), bytecodeHash: v3InitCodeHash }
