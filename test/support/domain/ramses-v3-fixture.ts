import type { ProtocolFixture } from './dex-fixture.ts'
import { copiedV3Fixture } from './uniswap-v3-fixture.ts'

const { declarations, expectedEvents, swap } = copiedV3Fixture

export const ramsesMint =
  'event Mint(address sender, address indexed owner, uint256 index, ' +
  'int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, ' +
  'uint256 amount1)'
export const ramsesFeeAdjustment = 'event FeeAdjustment(address pool, uint24 newFee)'

/** The events of Uniswap v3, its recorded swap among them, but for the mint and the fee. */
export const ramsesV3Fixture: ProtocolFixture = {
  declarations: [
    ...declarations.map((declaration) =>
      declaration.startsWith('event Mint(') ? ramsesMint : declaration,
    ),
    ramsesFeeAdjustment,
  ],
  expectedEvents: {
    ...expectedEvents,
    PoolCreated: ({ token0, token1, fee, tickSpacing, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'ramses-v3',
      venue: log.address,
      key: { token0, token1, fee, tickSpacing, hooks: null },
      initial: null,
    }),
    FeeAdjustment: ({ pool, newFee }) => ({ poolId: pool, kind: 'lp-fee-set', lpFee: newFee }),
  },
  swap,
}
