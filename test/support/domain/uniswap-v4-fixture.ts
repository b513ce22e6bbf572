import type { ProtocolFixture } from './dex-fixture.ts'

/** The source recorded neither the block's hash nor the log's place in it. */
const at = {
  block: 55_653_953,
  blockHash: '0x0000000000000000000000000000000000000000000000000000000000000000',
  ts: 1_788_665_070,
  txHash: '0x758f37a3c0a026b61fe79178459fb64210d328d874566795825de03bed70f37f',
  txIndex: 0,
  logIndex: 0,
} as const

export const uniswapV4Fixture: ProtocolFixture = {
  declarations: [
    'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, ' +
      'uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, ' +
      'uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, ' +
      'int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
    'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
  ],
  expectedEvents: {
    Initialize: (args, log) => ({
      poolId: args.id,
      kind: 'created',
      protocol: 'uniswap-v4',
      venue: log.address,
      key: {
        token0: args.currency0,
        token1: args.currency1,
        fee: args.fee,
        tickSpacing: args.tickSpacing,
        hooks: args.hooks,
      },
      initial: { sqrtPriceX96: args.sqrtPriceX96, tick: args.tick },
    }),
    Swap: ({ id, sender, amount0, amount1, sqrtPriceX96, liquidity, tick, fee }) => ({
      poolId: id,
      kind: 'swapped',
      amount0: -amount0,
      amount1: -amount1,
      sqrtPriceX96,
      liquidity,
      tick,
      fee,
      sender,
      recipient: null,
    }),
    ProtocolFeeUpdated: ({ id, protocolFee }) => ({
      poolId: id,
      kind: 'protocol-fee-set',
      protocolFee,
    }),
    ModifyLiquidity: ({ id, sender, tickLower, tickUpper, liquidityDelta, salt }) => ({
      poolId: id,
      kind: 'liquidity-changed',
      tickLower,
      tickUpper,
      liquidityDelta,
      owner: null,
      sender,
      salt,
    }),
  },
  // Robinhood Chain, 2026-09-06: the swapper pays token1 and receives token0.
  swap: {
    log: {
      ...at,
      address: '0x8366a39cc670b4001a1121b8f6a443a643e40951',
      topics: [
        '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f',
        '0xf224a070c8626c890a085b258cf562ee4bf052b6d1d59104b3b44d722640c001',
        '0x0000000000000000000000006a29521012ea53ad24c77e9e1a933d35ae503855',
      ],
      data: `0x${[
        '0000000000000000000000000000000000000000000000000275fda9464d6d44',
        'ffffffffffffffffffffffffffffffffffffffffffffff1c17baca62d20d945a',
        '00000000000000000000000000000000000000993c357b64193c358ab95ef750',
        '000000000000000000000000000000000000000000000e0b21d1e4af3b97bae1',
        '0000000000000000000000000000000000000000000000000000000000018924',
        '0000000000000000000000000000000000000000000000000000000000002710',
      ].join('')}`,
    },
    event: {
      poolId: '0xf224a070c8626c890a085b258cf562ee4bf052b6d1d59104b3b44d722640c001',
      at,
      kind: 'swapped',
      amount0: -177_326_663_821_782_340n,
      amount1: 4_204_147_747_271_457_532_838n,
      sqrtPriceX96: 12_140_542_621_037_734_118_838_769_743_696n,
      liquidity: 66_318_481_925_300_492_417_761n,
      tick: 100_644,
      fee: 10_000,
      sender: '0x6a29521012ea53ad24c77e9e1a933d35ae503855',
      recipient: null,
    },
  },
}
