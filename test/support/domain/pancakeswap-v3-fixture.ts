import type { ProtocolFixture } from './dex-fixture.ts'
import { copiedV3Fixture } from './uniswap-v3-fixture.ts'

const at = {
  block: 116_178_944,
  blockHash: '0x1fb467ce8d7a17e039182c5aedf454525f1e068dd5a825e8239798e311cbc9f9',
  ts: 0,
  txHash: '0x7ab78033c69e7b2e0bb901b9f878d161b9fae512d37267586d00300a14b28463',
  txIndex: 39,
  logIndex: 333,
} as const

const { declarations, expectedEvents } = copiedV3Fixture
const swapDeclaration =
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, ' +
  'int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, ' +
  'uint128 protocolFeesToken0, uint128 protocolFeesToken1)'

/** The events of Uniswap v3, but for two more words of a swap. */
export const pancakeswapV3Fixture: ProtocolFixture = {
  declarations: declarations.map((declaration) =>
    declaration.startsWith('event Swap(') ? swapDeclaration : declaration,
  ),
  expectedEvents: {
    ...expectedEvents,
    Swap: ({ sender, recipient, amount0, amount1, ...args }, log) => ({
      poolId: log.address,
      kind: 'swapped',
      ...{ sender, recipient, amount0, amount1, fee: null },
      ...{ sqrtPriceX96: args.sqrtPriceX96, liquidity: args.liquidity, tick: args.tick },
      protocolAmount: amount0 > 0n ? args.protocolFeesToken0 : args.protocolFeesToken1,
    }),
    PoolCreated: ({ token0, token1, fee, tickSpacing, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'pancakeswap-v3',
      venue: log.address,
      key: { token0, token1, fee, tickSpacing, hooks: null },
      initial: null,
    }),
  },
  // BNB Chain, block 116,178,944: a trader pays token1 into the pool for token0.
  swap: {
    log: {
      ...at,
      address: '0xab058332a7279f1e64162be08f59ac0cd9601759',
      topics: [
        '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
        '0x000000000000000000000000011af51cc6614fec1de0e0ff6dc315a150f3851c',
        '0x000000000000000000000000011af51cc6614fec1de0e0ff6dc315a150f3851c',
      ],
      data: `0x${[
        'ffffffffffffffffffffffffffffffffffffffffffffffffbadb9771a940dd46',
        '00000000000000000000000000000000000000000000000befc49b7e7255781d',
        '00000000000000000000000000000000000000069d5a8ac7d3874307ed4fb4f4',
        '00000000000000000000000000000000000000000003bbefb9cec3cbf4c69181',
        '000000000000000000000000000000000000000000000000000000000000939b',
        '0000000000000000000000000000000000000000000000000000000000000000',
        '00000000000000000000000000000000000000000000000009c748ff2d032405',
      ].join('')}`,
    },
    event: {
      poolId: '0xab058332a7279f1e64162be08f59ac0cd9601759',
      at,
      kind: 'swapped',
      amount0: -4_982_222_048_328_622_778n,
      amount1: 220_191_289_848_691_521_565n,
      sqrtPriceX96: 524_067_580_324_021_449_821_202_134_260n,
      liquidity: 4_514_282_151_828_150_733_410_689n,
      tick: 37_787,
      fee: null,
      sender: '0x011af51cc6614fec1de0e0ff6dc315a150f3851c',
      recipient: '0x011af51cc6614fec1de0e0ff6dc315a150f3851c',
      protocolAmount: 704_612_127_515_812_869n,
    },
  },
}
