import type { Hash } from '../../../src/domain/units.ts'
import type { ProtocolFixture } from './dex-fixture.ts'

/** The source recorded no time. */
const at = {
  block: 116_184_263,
  blockHash: '0x5779141d77012d3148129cc7731d740aac985c88fea056d76f5fa2c0b21d6c80',
  ts: 0,
  txHash: '0x0d8b6e16d7423372b96382461fd7c5210d5c20808668cd24ae0f5db2c87d07c2',
  txIndex: 2,
  logIndex: 58,
} as const

/** CLPoolParametersHelper.sol: an int24 from bit 16. */
const spacingOf = (parameters: Hash): number => Number(BigInt.asIntN(24, BigInt(parameters) >> 16n))

export const pancakeswapInfinityFixture: ProtocolFixture = {
  declarations: [
    'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, ' +
      'address hooks, uint24 fee, bytes32 parameters, uint160 sqrtPriceX96, int24 tick)',
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, ' +
      'uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)',
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, ' +
      'int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
    'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
    'event DynamicLPFeeUpdated(bytes32 indexed id, uint24 dynamicLPFee)',
  ],
  expectedEvents: {
    Initialize: (args, log) => ({
      poolId: args.id,
      kind: 'created',
      protocol: 'pancakeswap-infinity-cl',
      venue: log.address,
      key: {
        token0: args.currency0,
        token1: args.currency1,
        fee: args.fee,
        tickSpacing: spacingOf(args.parameters),
        hooks: args.hooks,
        parameters: args.parameters,
      },
      initial: { sqrtPriceX96: args.sqrtPriceX96, tick: args.tick },
    }),
    Swap: ({ id, sender, amount0, amount1, sqrtPriceX96, liquidity, tick, ...args }) => ({
      poolId: id,
      kind: 'swapped',
      amount0: -amount0,
      amount1: -amount1,
      sqrtPriceX96,
      liquidity,
      tick,
      fee: args.fee,
      protocolFee: args.protocolFee,
      sender,
      recipient: null,
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
    ProtocolFeeUpdated: ({ id, protocolFee }) => ({
      poolId: id,
      kind: 'protocol-fee-set',
      protocolFee,
    }),
    DynamicLPFeeUpdated: ({ id, dynamicLPFee }) => ({
      poolId: id,
      kind: 'lp-fee-set',
      lpFee: dynamicLPFee,
    }),
  },
  // BNB Chain: the swapper pays token1 and receives token0 (test/golden/data/fork-logs.json).
  swap: {
    log: {
      ...at,
      address: '0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b',
      topics: [
        '0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237',
        '0x305f1f25f68cad223bcc8fee4f787b1e585246bf5688e4256fb1b278f7afbcdc',
        '0x0000000000000000000000009999b0cdd35d7f3b281ba02efc0d228486940515',
      ],
      data: `0x${[
        '0000000000000000000000000000000000000000000000000015bf783612b903',
        'ffffffffffffffffffffffffffffffffffffffffffffffffc1bd9055dafbf51d',
        '000000000000000000000000000000000000001b122389c69daa9b94207aa0be',
        '0000000000000000000000000000000000000000000fbcfe6d512406986b201e',
        '00000000000000000000000000000000000000000000000000000000000101b4',
        '0000000000000000000000000000000000000000000000000000000000000037',
        '0000000000000000000000000000000000000000000000000000000000000012',
      ].join('')}`,
    },
    event: {
      poolId: '0x305f1f25f68cad223bcc8fee4f787b1e585246bf5688e4256fb1b278f7afbcdc',
      at,
      kind: 'swapped',
      amount0: -6_121_497_535_101_187n,
      amount1: 4_486_270_955_370_580_707n,
      sqrtPriceX96: 2_144_774_081_093_632_382_090_230_800_574n,
      liquidity: 19_026_385_543_110_487_140_147_230n,
      tick: 65_972,
      fee: 55,
      protocolFee: 18,
      sender: '0x9999b0cdd35d7f3b281ba02efc0d228486940515',
      recipient: null,
    },
  },
}
