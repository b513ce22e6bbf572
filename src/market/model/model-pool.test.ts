import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import { poolOf as samplePoolOf, samplePools } from '../../../test/support/market/sample-market.ts'
import { feesAtCreation } from '../../domain/pool/pool-fees.ts'
import { known } from '../../domain/reading.ts'
import type { Hash } from '../../domain/units.ts'
import { createParameterCache, isUnchangedPool, toModelPool, toStoredPool } from './model-pool.ts'
import { noVolumes } from './volume-windows.ts'

const infoOf = (address: `0x${string}`) => ({
  address,
  symbol: 'T',
  decimals: known(18),
  text: '',
  imitates: null,
})

const listing = {
  classification: { kind: 'meme', stockIsToken0: true },
  volume: noVolumes,
  external: { fallback: null, screened: null },
} as const

const listParameters = createParameterCache()

const modelPoolOf = (pool: ReturnType<typeof samplePoolOf>) => {
  const [token0, token1] = [infoOf(pool.key.token0), infoOf(pool.key.token1)]
  return toModelPool(pool, listParameters(pool), { token0, token1, ...listing })
}

test.each(Object.entries(samplePools))('restores the stored pool %s', (_, pool) => {
  expect(toStoredPool(modelPoolOf(pool))).toEqual(pool)
})

const word = (digit: string): Hash => `0x${digit.repeat(64)}`

const anyPool = fc
  .record({
    version: fc.constantFrom('v3' as const, 'v4' as const),

    venue: fc.constantFrom(tokens.nvda, tokens.usdg),
    fee: fc.constantFrom(500, 3000),
    tickSpacing: fc.constantFrom(10, 60),
    hooks: fc.constantFrom(null, tokens.nvda, tokens.usdg),
    parameters: fc.constantFrom(null, word('1'), word('2')),
  })
  .map(({ version, venue, parameters, ...plain }) => {
    const key = parameters === null ? plain : { ...plain, parameters }
    const protocol = `uniswap-${version}`
    const origin = { protocol, createdBlock: 1, key }
    const pool = { version, protocol, venue, createdBlock: 1, fees: feesAtCreation(origin) }
    return samplePoolOf(1, { ...pool, key: { ...keyOf(), ...key } })
  })

test('shares one parameter object between pools of equal parameters only', () => {
  fc.assert(
    fc.property(anyPool, anyPool, (a, b) => {
      expect(toStoredPool(modelPoolOf(a))).toEqual(a)
      expect(listParameters(structuredClone(a))).toBe(listParameters(a))
      expect(listParameters(a) === listParameters(b)).toBe(fc.stringify(a) === fc.stringify(b))
    }),
  )
})

test('restores fees, and shows that they changed', () => {
  const fees = { lpFee: 3000, protocolFee: 500 | (300 << 12), block: 9 }
  const [before, after] = [samplePoolOf(1), samplePoolOf(1, { fees })]
  expect(toStoredPool(modelPoolOf(after)).fees).toEqual(fees)
  expect(isUnchangedPool(modelPoolOf(before), modelPoolOf(after))).toBe(false)
})

test('ignores changes of the volume and of screener figures', () => {
  const pool = modelPoolOf(samplePoolOf(1))
  const { external } = pool
  const screened = { liquidityUsd: 1, ts: 1 }
  const fallback = { source: 'balance', amount0: 1, amount1: 1, ts: 1 } as const
  expect(isUnchangedPool(pool, { ...pool, volume: { ...noVolumes, swaps24h: 1 } })).toBe(true)
  expect(isUnchangedPool(pool, { ...pool, external: { ...external, screened } })).toBe(true)
  expect(isUnchangedPool(pool, { ...pool, external: { ...external, fallback } })).toBe(false)
  expect(isUnchangedPool(pool, { ...pool, token1: infoOf(tokens.usdg) })).toBe(false)
  expect(isUnchangedPool(pool, { ...pool, lastHotTs: 1 })).toBe(false)
})
