import { dynamicFee } from '../../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { ProtocolFixture } from './dex-fixture.ts'
import { copiedV3Fixture } from './uniswap-v3-fixture.ts'

const { declarations, expectedEvents, swap } = copiedV3Fixture

export const slipstreamPoolCreated =
  'event PoolCreated(address indexed token0, address indexed token1, ' +
  'int24 indexed tickSpacing, address pool)'

/** The events of Uniswap v3, its recorded swap among them, but for the creation. */
export const slipstreamFixture: ProtocolFixture = {
  declarations: declarations.map((declaration) =>
    declaration.startsWith('event PoolCreated(') ? slipstreamPoolCreated : declaration,
  ),
  expectedEvents: {
    ...expectedEvents,
    PoolCreated: ({ token0, token1, tickSpacing, pool }, log) => ({
      poolId: pool,
      kind: 'created',
      protocol: 'slipstream',
      venue: log.address,
      key: { token0, token1, fee: dynamicFee, tickSpacing, hooks: null },
      initial: null,
    }),
  },
  swap,
}
