/** Events that the peers index (Uniswap v3-core and v4-core interfaces). */
const v3Swap =
  'Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, ' +
  'uint160 sqrtPriceX96, uint128 liquidity, int24 tick)'
const v3Mint =
  'Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, ' +
  'uint128 amount, uint256 amount0, uint256 amount1)'
const v3Burn =
  'Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, ' +
  'uint128 amount, uint256 amount0, uint256 amount1)'
const v4Swap =
  'Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, ' +
  'uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)'
const v4Change =
  'ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, ' +
  'int256 liquidityDelta, bytes32 salt)'

export const factoryEvents = {
  created:
    'PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, ' +
    'int24 tickSpacing, address pool)',
} as const

export const poolEvents = { swap: v3Swap, mint: v3Mint, burn: v3Burn } as const

export const managerEvents = { swap: v4Swap, change: v4Change } as const
