import type { ProtocolFixture } from './dex-fixture.ts'

const at = {
  block: 18_000_000,
  blockHash: '0x95b198e154acbfc64109dfd22d8224fe927fd8dfdedfae01587674482ba4baf3',
  ts: 1_693_066_895,
  txHash: '0xcff1595448f469499873536bab2987ad6c032a71ac7001eed97d1bbac244ed9e',
  txIndex: 21,
  logIndex: 104,
} as const

/** What the copies of Uniswap v3 kept. */
export const copiedV3Fixture: ProtocolFixture = {
  declarations: [
    'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, ' +
      'int24 tickSpacing, address pool)',
    'event Initialize(uint160 sqrtPriceX96, int24 tick)',
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, ' +
      'int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    'event Mint(address sender, address indexed owner, int24 indexed tickLower, ' +
      'int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
    'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, ' +
      'uint128 amount, uint256 amount0, uint256 amount1)',
  ],
  expectedEvents: {
    PoolCreated: ({ token0, token1, fee, tickSpacing, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'uniswap-v3',
      venue: log.address,
      key: { token0, token1, fee, tickSpacing, hooks: null },
      initial: null,
    }),
    Initialize: ({ sqrtPriceX96, tick }, log) => ({
      poolId: log.address,
      kind: 'initialized',
      sqrtPriceX96,
      tick,
    }),
    Swap: ({ sender, recipient, amount0, amount1, sqrtPriceX96, liquidity, tick }, log) => ({
      poolId: log.address,
      kind: 'swapped',
      amount0,
      amount1,
      sqrtPriceX96,
      liquidity,
      tick,
      fee: null,
      sender,
      recipient,
    }),
    Mint: ({ owner, tickLower, tickUpper, amount }, log) => ({
      poolId: log.address,
      kind: 'liquidity-changed',
      tickLower,
      tickUpper,
      liquidityDelta: amount,
      owner,
      sender: null,
      salt: null,
    }),
    Burn: ({ owner, tickLower, tickUpper, amount }, log) => ({
      poolId: log.address,
      kind: 'liquidity-changed',
      tickLower,
      tickUpper,
      liquidityDelta: -amount,
      owner,
      sender: null,
      salt: null,
    }),
  },
  // Ethereum, block 18,000,000: a trader pays 0.07 WETH (token1) into the pool for another token.
  swap: {
    log: {
      ...at,
      address: '0x757a197b3b17b207d6de3840de09bcf2dfb75b72',
      topics: [
        '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
        '0x0000000000000000000000003fc91a3afd70395cd496c647d5a6cc9d4b2b7fad',
        '0x00000000000000000000000040521a62cd57331a0d36338f76d12008f69329ef',
      ],
      data: `0x${[
        'fffffffffffffffffffffffffffffffffffffffffffff0256ec0fb029fc99ea3',
        '00000000000000000000000000000000000000000000000000f8b0a10e470000',
        '0000000000000000000000000000000000000000003f7ab67e73e1bf7f4bcbe5',
        '0000000000000000000000000000000000000000000001d0dcc01f64024924a2',
        'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffde1d0',
      ].join('')}`,
    },
    event: {
      poolId: '0x757a197b3b17b207d6de3840de09bcf2dfb75b72',
      at,
      kind: 'swapped',
      amount0: -74_867_353_540_658_680_193_373n,
      amount1: 70_000_000_000_000_000n,
      sqrtPriceX96: 76_741_821_765_927_833_552_276_453n,
      liquidity: 8_575_195_998_599_500_080_290n,
      tick: -138_800,
      fee: null,
      sender: '0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad',
      recipient: '0x40521a62cd57331a0d36338f76d12008f69329ef',
    },
  },
}

export const uniswapV3Fixture: ProtocolFixture = {
  ...copiedV3Fixture,
  declarations: [
    ...copiedV3Fixture.declarations,
    'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, ' +
      'uint8 feeProtocol1New)',
  ],
  expectedEvents: {
    ...copiedV3Fixture.expectedEvents,
    SetFeeProtocol: ({ feeProtocol0New, feeProtocol1New }, log) => ({
      poolId: log.address,
      kind: 'protocol-fee-set',
      protocolFee: (feeProtocol0New % 16) + 16 * (feeProtocol1New % 16),
    }),
  },
}
