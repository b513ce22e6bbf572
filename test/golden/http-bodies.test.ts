import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { computePoolId } from '../../src/domain/dex/pool-id.ts'
import { multiplierText } from '../../src/domain/stock/multiplier.ts'
import { createIssuerRegistry } from '../../src/quotes/issuer-registry.ts'
import { createIssuerSource } from '../../src/quotes/issuer-source.ts'
import { createScreener } from '../../src/screener/registry.ts'
import { createPatientHttpClient, saying, serve } from '../support/net/loopback.ts'
import { readData } from './read-data.ts'

type Asset = { tokenSymbol: string; currentMultiplier: string }
type Bodies = {
  issuerPrices: unknown
  issuerAssets: { assets: readonly Asset[] }
  issuerDeviations: unknown
  dexscreenerV3: unknown
  dexscreenerV4: unknown
}

const bodies = readData<Bodies>('http-bodies')
const chainId = 4663
const nvda = '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'
const weth = '0x0bd7d308f8e1639fab988df18a8011f41eacad73'
const usdg = '0x5fc5360d0400a0fd4f2af552add042d716f1d168'
/** Two seconds after the issuer's quote of NVDA was made. */
const now = 1_790_189_022

const answering = async (body: unknown) => {
  const { url } = await serve(saying(typeof body === 'string' ? body : JSON.stringify(body)))
  return { url, chainId, httpClient: createPatientHttpClient() }
}
const quotesOf = async (body: unknown) => {
  const source = createIssuerSource(await answering(body))
  return source.read(
    [{ address: nvda, symbol: 'NVDA', isStock: true, feedPer: 'token' as const, feed: null }],
    now,
  )
}

describe('the issuer', () => {
  it('quotes NVDA per share, on both sides, by a clock of nanoseconds', async () => {
    expect(await quotesOf(bodies.issuerPrices)).toMatchObject({
      ok: true,
      value: {
        quotes: [
          {
            address: nvda,
            source: 'issuer',
            per: 'share',
            bid: 225.38,
            ask: 225.39,
            last: null,
            publishedTs: 1_790_189_020,
            fetchedTs: now,
            halted: false,
            haltTs: 1_790_189_020,
          },
        ],
        refused: [],
        expected: 1,
      },
    })
  })

  it.each([
    ['a plain text in a 200', 'rate-limited', 'local_rate_limited'],
    ['/price-deviations', 'malformed', bodies.issuerDeviations],
    ['/assets', 'malformed', bodies.issuerAssets],
  ])('%s is %s, and not mistaken for prices', async (_, kind, body) => {
    expect(await quotesOf(body)).toMatchObject({ ok: false, fault: { kind } })
  })

  it('lists its assets, one of them with a symbol of one letter', async () => {
    const registry = createIssuerRegistry(await answering(bodies.issuerAssets))
    const read = await registry.read()
    if (!read.ok) throw new Error(read.fault.detail)
    expect(read.value.map(({ symbol }) => symbol)).toEqual(
      bodies.issuerAssets.assets.map(({ tokenSymbol }) => tokenSymbol),
    )
    expect(read.value[0]).toEqual({
      address: '0x1cdad396db64bda184d5182a97dd9b3c62100b7d',
      symbol: 'P',
      name: 'Everpure',
      issuer: 'Robinhood',
      decimals: 18,
      feed: null,
    })
  })

  it('reports the multipliers that the last announcements on the chain set, digit by digit', () => {
    type Announced = { symbol: string; effectiveTs: number; newMultiplier: string }
    const askedTs = 1_786_147_200 // 2026-08-08
    const onChain = new Map(
      readData<Announced[]>('multiplier-events')
        .filter(({ effectiveTs }) => effectiveTs < askedTs)
        .map(({ symbol, newMultiplier }) => [symbol, multiplierText(BigInt(newMultiplier))]),
    )
    const changed = bodies.issuerAssets.assets.filter(({ tokenSymbol }) => onChain.has(tokenSymbol))
    expect(changed).toHaveLength(6)
    for (const { tokenSymbol, currentMultiplier } of changed) {
      expect(currentMultiplier).toBe(onChain.get(tokenSymbol))
    }
    const others = bodies.issuerAssets.assets.filter((asset) => !changed.includes(asset))
    for (const other of others) expect(other.currentMultiplier).toBe(multiplierText(10n ** 18n))
  })
})

describe('DexScreener', () => {
  const v4Pool = '0x647836c4965c512f0d82a2128abe7826eacf5a79d2dbed252a89ba5c591d1e87'

  it.each([
    [
      'v3',
      bodies.dexscreenerV3,
      '0x52e65b17fb6e5ba00ed806f37afcd2daa50271ca',
      [weth, 3925.941, usdg, 8_101_350],
      17_537_870.49,
      819_464_060.53,
    ],
    ['v4', bodies.dexscreenerV4, v4Pool, [nvda, 16.4282, weth, 5.905], 17_890.52, 197_581.75],
  ] as const)('reads a %s pool', async (_, body, poolId, reserves, liquidityUsd, vol24hUsd) => {
    const { url, httpClient } = await answering(body)
    const screener = createScreener(
      { kind: 'dexscreener', url, chain: 'robinhood' },
      { httpClient },
    )
    const [base, baseAmount, quote, quoteAmount] = reserves
    expect(await screener.read([poolId], now)).toEqual({
      ok: true,
      value: [
        {
          poolId,
          reserves: [
            { address: base, amount: baseAmount },
            { address: quote, amount: quoteAmount },
          ],
          liquidityUsd,
          vol24hUsd,
          fetchedTs: now,
        },
      ],
    })
  })

  it('names a v4 pool by the keccak of its key: WETH and NVDA at 0.1 % in steps of 2', () => {
    const hooks = `0x${'0'.repeat(40)}` as const
    const key = { token0: weth, token1: nvda, fee: 1000, tickSpacing: 2, hooks } as const
    expect(computePoolId(key, keccak256)).toBe(v4Pool)
  })
})
