import { expect, test } from 'vitest'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import type { ContractFees } from '../pool/pool-state.ts'
import type { ProtocolId } from '../units.ts'
import { lpFeeOf, lpFeeParts, type PaidSwap } from './lp-fee.ts'

type Given = {
  readonly protocol: ProtocolId
  readonly keyFee?: number
  readonly fees?: ContractFees | null
  readonly fee?: number | null
  readonly event?: Partial<PaidSwap['event']>
  readonly pluginFee?: number
}

const address = `0x${'00'.repeat(20)}` as const

const lpPartOf = (given: Given): number | null => {
  const { protocol, keyFee = 3000, fees = null, fee = null, event, pluginFee = 0 } = given
  const key = { token0: address, token1: address, fee: keyFee, tickSpacing: 60, hooks: null }
  const amounts = { amount0: 1_000_000n, amount1: -900_000n }
  const part = lpFeeOf({
    event: { ...amounts, ...event },
    pool: { protocol, key, fees },
    fee,
    pluginFee,
  })
  return part === null ? null : part / lpFeeParts
}

const toToken1 = { amount0: -900_000n, amount1: 1_000_000n }

test.each<[string, Given, number | null]>([
  ['v3: the fee of the key', { protocol: 'uniswap-v3' }, 0.003],
  [
    'v3: less a quarter of token0',
    { protocol: 'uniswap-v3', fees: { lpFee: 3000, protocolFee: 4 + (6 << 4) } },
    0.00225,
  ],
  [
    'v3: less a sixth of token1',
    { protocol: 'uniswap-v3', fees: { lpFee: 3000, protocolFee: 4 + (6 << 4) }, event: toToken1 },
    0.0025,
  ],
  [
    'PancakeSwap v3: less the amount of the log',
    { protocol: 'pancakeswap-v3', keyFee: 2500, event: { protocolAmount: 800n } },
    0.0017,
  ],
  ['v4: a static fee', { protocol: 'uniswap-v4', fee: 3000 }, 0.003],
  [
    'v4: what the protocol leaves of a static fee',
    { protocol: 'uniswap-v4', fee: 3997 },
    3000e-6 * (1 - 1000e-6),
  ],
  [
    'v4: what the protocol leaves, by the fees of the pool where they agree',
    { protocol: 'uniswap-v4', keyFee: 2000, fee: 2250, fees: { lpFee: 2000, protocolFee: 250 } },
    0.002,
  ],
  [
    'v4: by the log where the fees of the pool do not agree',
    { protocol: 'uniswap-v4', keyFee: 2000, fee: 2998, fees: { lpFee: 2000, protocolFee: 250 } },
    0.001998,
  ],
  [
    'v4: a dynamic fee without the protocol fee of the direction',
    {
      ...{ protocol: 'uniswap-v4', keyFee: dynamicFee, fee: 5990 },
      ...{ fees: { lpFee: 0, protocolFee: 500 << 12 }, event: toToken1 },
    },
    0.00549,
  ],
  [
    'v4: a dynamic fee before the fees were read',
    { protocol: 'uniswap-v4', keyFee: dynamicFee, fee: 5990 },
    null,
  ],
  [
    'Infinity: less the protocol fee of the log',
    { protocol: 'pancakeswap-infinity-cl', fee: 3997, event: { protocolFee: 1000 } },
    0.002997,
  ],
  [
    'Algebra: less the thousandths, and nothing of the fee of the plugin',
    {
      ...{ protocol: 'algebra-integral', keyFee: dynamicFee, fee: 700 },
      ...{ pluginFee: 200, fees: { lpFee: 500, protocolFee: 150 } },
    },
    0.000425,
  ],
  ['Slipstream: unknown', { protocol: 'slipstream', keyFee: dynamicFee }, null],
  ['Ramses: unknown', { protocol: 'ramses-v3', keyFee: dynamicFee, fee: 3000 }, null],
])('%s', (_, given, expected) => {
  const part = lpPartOf(given)
  if (expected === null) expect(part).toBeNull()
  else expect(part).toBeCloseTo(expected, 8)
})
