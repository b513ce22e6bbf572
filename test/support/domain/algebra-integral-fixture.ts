import type { ProtocolFixture } from './dex-fixture.ts'
import { copiedV3Fixture } from './uniswap-v3-fixture.ts'

const { declarations, expectedEvents, swap } = copiedV3Fixture
const [, ...shared] = declarations

const fixed = { fee: 0x800000, tickSpacing: 0, hooks: null } as const

/** Events of Algebra's interfaces, with the names of Uniswap v3 for what is the same. */
export const algebraIntegralFixture: ProtocolFixture = {
  declarations: [
    ...shared,
    'event Pool(address indexed token0, address indexed token1, address pool)',
    'event CustomPool(address indexed deployer, address indexed token0, address indexed token1, ' +
      'address pool)',
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, ' +
      'int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 overrideFee, ' +
      'uint24 pluginFee)',
    'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, ' +
      'uint128 amount, uint256 amount0, uint256 amount1, uint24 pluginFee)',
    'event SwapFee(address indexed sender, uint24 overrideFee, uint24 pluginFee)',
    'event Fee(uint16 fee)',
    'event CommunityFee(uint16 communityFeeNew)',
    'event TickSpacing(int24 tickSpacing)',
    'event PluginConfig(uint8 pluginConfig)',
  ],
  expectedEvents: {
    ...Object.fromEntries(
      Object.entries(expectedEvents).filter(([name]) => name !== 'PoolCreated'),
    ),
    Pool: ({ token0, token1, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'algebra-integral',
      venue: log.address,
      key: { token0, token1, ...fixed },
      initial: null,
    }),
    CustomPool: ({ deployer, token0, token1, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'algebra-integral',
      venue: log.address,
      key: { deployer, token0, token1, ...fixed },
      initial: null,
    }),
    Swap: (args, log) => ({
      poolId: log.address,
      kind: 'swapped',
      amount0: args.amount0,
      amount1: args.amount1,
      sqrtPriceX96: args.sqrtPriceX96,
      liquidity: args.liquidity,
      tick: args.tick,
      fee: null,
      // Only the declaration of 1.2.1 to 1.2.5 has the two.
      ...(args.overrideFee === undefined
        ? {}
        : { announced: { overrideFee: args.overrideFee, pluginFee: args.pluginFee } }),
      sender: args.sender,
      recipient: args.recipient,
    }),
    SwapFee: ({ overrideFee, pluginFee }, log) => ({
      poolId: log.address,
      kind: 'swap-fees-announced',
      overrideFee,
      pluginFee,
    }),
    Fee: ({ fee }, log) => ({ poolId: log.address, kind: 'lp-fee-set', lpFee: fee }),
    CommunityFee: ({ communityFeeNew }, log) => ({
      poolId: log.address,
      kind: 'protocol-fee-set',
      protocolFee: communityFeeNew,
    }),
    TickSpacing: ({ tickSpacing }, log) => ({
      poolId: log.address,
      kind: 'setting-set',
      tickSpacing,
    }),
    PluginConfig: ({ pluginConfig }, log) => ({
      poolId: log.address,
      kind: 'setting-set',
      pluginConfig,
    }),
  },
  // Every version but 1.2.1 to 1.2.5 emits the Swap of Uniswap v3, so a recorded one of it serves.
  swap,
}
