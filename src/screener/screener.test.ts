import { describe, expect, it } from 'vitest'
import {
  createPatientHttpClient,
  type Handler,
  saying,
  serve,
} from '../../test/support/net/loopback.ts'
import { createScreener, type ScreenerSpec } from './registry.ts'

const now = 1_790_189_020
const weth = '0x0bd7d308f8e1639fab988df18a8011f41eacad73'
const usdg = '0x5fc5360d0400a0fd4f2af552add042d716f1d168'
const nvda = '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'
const v3Pool = '0x52e65b17fb6e5ba00ed806f37afcd2daa50271ca'
const v4Pool = '0x647836c4965c512f0d82a2128abe7826eacf5a79d2dbed252a89ba5c591d1e87'

const start = async (kind: ScreenerSpec['kind'], handler: Handler) => {
  const { url, received } = await serve(handler)
  const screener = createScreener(
    { kind, url, chain: 'robinhood' },
    { httpClient: createPatientHttpClient() },
  )
  return { screener, paths: () => received.map(({ path }) => path) }
}
const manyPools = Array.from(
  { length: 65 },
  (_, i) => `0x${(i + 1).toString(16).padStart(64, '0')}` as const,
)

describe('DexScreener', () => {
  /** Two pairs as DexScreener reports them. */
  const v3 = {
    chainId: 'robinhood',
    dexId: 'uniswap',
    pairAddress: '0x52e65B17fB6E5BA00Ed806f37Afcd2DaA50271Ca',
    labels: ['v3'],
    baseToken: { address: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', symbol: 'WETH' },
    quoteToken: { address: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', symbol: 'USDG' },
    priceNative: '2403.6325',
    volume: { h24: 819_464_060.53, m5: 931_053.52 },
    liquidity: { usd: 17_537_870.49, base: 3925.941, quote: 8_101_350 },
  }
  const v4 = {
    ...v3,
    pairAddress: v4Pool,
    baseToken: { address: '0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC' },
    quoteToken: v3.baseToken,
    volume: { h24: '197581.75' },
    liquidity: { usd: '17890.52', base: '16.4282', quote: '5.905' },
  }
  const row3 = {
    poolId: v3Pool,
    reserves: [
      { address: weth, amount: 3925.941 },
      { address: usdg, amount: 8_101_350 },
    ],
    liquidityUsd: 17_537_870.49,
    vol24hUsd: 819_464_060.53,
    fetchedTs: now,
  }
  const row4 = {
    poolId: v4Pool,
    reserves: [
      { address: nvda, amount: 16.4282 },
      { address: weth, amount: 5.905 },
    ],
    liquidityUsd: 17_890.52,
    vol24hUsd: 197_581.75,
    fetchedTs: now,
  }
  const reading = async (pairs: unknown, pools: readonly `0x${string}`[] = [v3Pool, v4Pool]) => {
    const { screener } = await start('dexscreener', saying(JSON.stringify({ pairs })))
    return screener.read(pools, now)
  }

  it('reads v3 and v4 pools, in numbers or texts', async () => {
    const body = JSON.stringify({ schemaVersion: '1.0.0', pairs: [v3, v4], pair: v3 })
    const { screener, paths } = await start('dexscreener', saying(body))
    expect(screener.id).toBe('dexscreener')
    expect(await screener.read([v3Pool, v4Pool], now)).toEqual({ ok: true, value: [row3, row4] })
    expect(paths()).toEqual([`/latest/dex/pairs/robinhood/${v3Pool},${v4Pool}`])
  })

  it('identifies base and quote by their addresses', async () => {
    const { baseToken, quoteToken, liquidity } = v3
    const reversed = {
      ...v3,
      baseToken: quoteToken,
      quoteToken: baseToken,
      liquidity: { ...liquidity, base: liquidity.quote, quote: liquidity.base },
    }
    expect(await reading([reversed])).toMatchObject({
      value: [{ reserves: row3.reserves.toReversed() }],
    })
  })

  it.each([
    ['no pairs', null, []],
    ['an empty list', [], []],
    ['a pool that is missing', [v4], [row4]],
    ['a pool of another chain', [{ ...v3, chainId: 'base' }, v4], [row4]],
    ['a pool that was not asked for', [{ ...v3, pairAddress: usdg }, v4], [row4]],
    ['rows that are none', [null, 'row', {}, v4], [row4]],
  ])('%s', async (_, pairs, value) => {
    expect(await reading(pairs)).toEqual({ ok: true, value })
  })

  it.each([
    ['no liquidity', { liquidity: undefined }, { reserves: [], liquidityUsd: null }],
    ['one side only', { liquidity: { usd: 5, base: 1 } }, { reserves: [], liquidityUsd: 5 }],
    [
      'a negative side',
      { liquidity: { usd: -5, base: -1, quote: 2 } },
      { reserves: [], liquidityUsd: null },
    ],
    ['no volume', { volume: {} }, { vol24hUsd: null }],
    ['a volume that is none', { volume: { h24: 'NaN' } }, { vol24hUsd: null }],
    ['a token without an address', { baseToken: null }, { reserves: [] }],
  ])('%s is not known, never zero', async (_, over, expected) => {
    expect(await reading([{ ...v3, ...over }])).toMatchObject({ value: [expected] })
  })
})

describe('GeckoTerminal', () => {
  const item = {
    id: `robinhood_${v4Pool}`,
    type: 'pool',
    attributes: {
      address: v4Pool,
      name: 'NVDA / WETH 0.1%',
      base_token_price_usd: '225.71',
      reserve_in_usd: '17890.52',
      volume_usd: { m5: '0.0', h1: '9445.9', h24: '197581.75' },
    },
    relationships: {
      base_token: { data: { id: 'robinhood_0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec' } },
      dex: { data: { id: 'uniswap-v4-robinhood', type: 'dex' } },
    },
  }
  const expectedRow = {
    poolId: v4Pool,
    reserves: [],
    liquidityUsd: 17_890.52,
    vol24hUsd: 197_581.75,
    fetchedTs: now,
  }
  const reading = async (data: unknown) => {
    const { screener, paths } = await start('geckoterminal', saying(JSON.stringify({ data })))
    return { read: await screener.read([v3Pool, v4Pool], now), paths }
  }

  it('reports the value of a pool, not its reserves', async () => {
    const { read, paths } = await reading([item])
    expect(read).toEqual({ ok: true, value: [expectedRow] })
    expect(paths()).toEqual([`/networks/robinhood/pools/multi/${v3Pool},${v4Pool}`])
  })

  it('a v3 pool is named by its address, in any case', async () => {
    const id = `robinhood_${v3Pool.replace('0x52e65b', '0x52E65B')}`
    expect((await reading([{ ...item, id }])).read).toMatchObject({ value: [{ poolId: v3Pool }] })
  })

  it.each([
    ['nothing known', [], []],
    ['a pool that is missing', [item], [expectedRow]],
    ['a pool of another network', [{ ...item, id: `base_${v4Pool}` }, item], [expectedRow]],
    ['a pool that was not asked for', [{ ...item, id: `robinhood_${usdg}` }, item], [expectedRow]],
    ['rows that are none', [null, 'row', {}, { ...item, id: 7 }, { id: item.id }], []],
  ])('%s', async (_, data, value) => {
    expect((await reading(data)).read).toEqual({ ok: true, value })
  })

  it.each([
    ['figures that are missing', {}],
    ['figures that are null', { reserve_in_usd: null, volume_usd: null }],
    ['figures that are none', { reserve_in_usd: 'NaN', volume_usd: { h24: '-1' } }],
  ])('%s are not known, never zero', async (_, attributes) => {
    expect((await reading([{ ...item, attributes }])).read).toMatchObject({
      value: [{ liquidityUsd: null, vol24hUsd: null }],
    })
  })

  it('another form is malformed', async () => {
    expect((await reading(null)).read).toMatchObject({ fault: { kind: 'malformed' } })
  })
})

describe.each([
  ['dexscreener', '{"pairs":null}', [30, 30, 5], 300],
  ['geckoterminal', '{"data":[]}', [20, 20, 20, 5], 30],
] as const)('%s', (kind, nothing, requests, perMinuteMax) => {
  it('is asked for as many pools at once as it answers', async () => {
    const { screener, paths } = await start(kind, saying(nothing))
    expect(await screener.read(manyPools, now)).toEqual({ ok: true, value: [] })
    expect(paths().map((path) => path.split(',').length)).toEqual(requests)
  })

  it('is asked no more often than it allows', async () => {
    const { screener, paths } = await start(kind, saying(nothing))
    const readAt = (ts: number) => screener.read([v3Pool], ts)
    for (let count = 0; count < perMinuteMax; count += 1) {
      expect(await readAt(now)).toMatchObject({ ok: true })
    }
    expect(await readAt(now + 59)).toMatchObject({ ok: false, fault: { kind: 'rate-limited' } })
    expect(paths()).toHaveLength(perMinuteMax)
    expect(await readAt(now + 60)).toMatchObject({ ok: true })
  })

  it.each([
    ['rate-limited', saying('', 429)],
    ['rate-limited', saying('local_rate_limited')],
    ['malformed', saying('[]')],
    ['malformed', saying('{}')],
    ['malformed', saying('<!doctype html><title>Login</title>')],
    ['malformed', saying(nothing.slice(0, -1))],
    ['malformed', saying(`"${'x'.repeat(5_000_000)}"`)],
    ['unreachable', saying('', 502)],
  ])('%s', async (fault, handler) => {
    const { screener } = await start(kind, handler)
    expect(await screener.read([v3Pool], now)).toMatchObject({ ok: false, fault: { kind: fault } })
  })
})
