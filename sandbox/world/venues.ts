import { type Address, concat, type Hex, keccak256 } from 'viem'

/** The DEXes of the chain, as people call them. */
export type VenueName =
  | 'Uniswap v3'
  | 'Uniswap v4'
  | 'Fork v3'
  | 'PancakeSwap v3'
  | 'Slipstream'
  | 'Algebra Integral'

export type VenueContracts = {
  /** Of Uniswap v3. */
  readonly factory: Address
  /** Of a fork that kept the contracts of Uniswap v3: another deployment of the same bytecode. */
  readonly forkFactory: Address
  readonly pancakeFactory: Address
  readonly pancakePoolDeployer: Address
  readonly slipstreamFactory: Address
  /** What the factory's pools are clones of. */
  readonly slipstreamImplementation: Address
  readonly algebraFactory: Address
  readonly algebraPoolDeployer: Address
  /** The deployer of Algebra's custom pools. */
  readonly algebraCustomPools: Address
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
    case 'Slipstream':
      return contracts.slipstreamFactory
    case 'Algebra Integral':
      return contracts.algebraFactory
    case 'Uniswap v4':
      return contracts.poolManager
  }
}

/** Whose rules its contracts follow, as the service calls them. */
export const protocolOfVenue = {
  'Uniswap v3': 'uniswap-v3',
  'Fork v3': 'uniswap-v3',
  'PancakeSwap v3': 'pancakeswap-v3',
  Slipstream: 'slipstream',
  'Algebra Integral': 'algebra-integral',
  'Uniswap v4': 'uniswap-v4',
} as const satisfies Record<VenueName, string>

/** keccak256 of UniswapV3Pool's creation code, the same everywhere (v3-periphery PoolAddress). */
export const v3InitCodeHash: Hex =
  '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

/** keccak256 of PancakeV3Pool's creation code (pancake-v3-contracts, PoolAddress). */
export const pancakeInitCodeHash: Hex =
  '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2'

/** keccak256 of AlgebraPool's creation code, of 1.2.9 and 1.2.10. */
export const algebraInitCodeHash: Hex =
  '0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c'

/** keccak256 of the creation code of an EIP-1167 clone. */
const cloneHash = (implementation: Address): Hex =>
  keccak256(
    concat([
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      implementation,
      '0x5af43d82803e903d91602b57fd5bf3',
    ]),
  )

/** What the address of a pool follows from by CREATE2, besides tokens and fee or spacing. */
export const poolOriginOf = (
  contracts: VenueContracts,
  venue: VenueName,
): { readonly from: Address; readonly bytecodeHash: Hex } => {
  switch (venue) {
    case 'PancakeSwap v3':
      return { from: contracts.pancakePoolDeployer, bytecodeHash: pancakeInitCodeHash }
    case 'Slipstream':
      return {
        from: contracts.slipstreamFactory,
        bytecodeHash: cloneHash(contracts.slipstreamImplementation),
      }
    case 'Algebra Integral':
      return { from: contracts.algebraPoolDeployer, bytecodeHash: algebraInitCodeHash }
    default:
      return { from: addressOfVenue(contracts, venue), bytecodeHash: v3InitCodeHash }
  }
}
