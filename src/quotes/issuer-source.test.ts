import { describe, expect, it } from 'vitest'
import {
  createPatientHttpClient,
  type Handler,
  saying,
  serve,
  unreachableUrl,
} from '../../test/support/net/loopback.ts'
import { createIssuerSource } from './issuer-source.ts'

/** NVDA on 2026-09-23 as the issuer answered: facts of one row. */
const nvda = '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'
const recorded = {
  tokenSymbol: 'NVDA',
  deployments: [
    {
      contractAddress: '0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC',
      chainId: 4663,
      networkName: 'Robinhood Chain',
    },
  ],
  bid: '225.38',
  ask: '225.39',
  currency: 'USD',
  dailyTradingVolume: '53412925',
  isTradingHalt: false,
  generatedAt: '2026-09-23T18:43:40.689754062Z',
}
const generatedTs = 1_790_189_020
const now = generatedTs + 5
const quote = {
  address: nvda,
  source: 'issuer',
  per: 'share',
  bid: 225.38,
  ask: 225.39,
  last: null,
  publishedTs: generatedTs,
  fetchedTs: now,
  halted: false,
  haltTs: 1_790_189_020,
  lapse: null,
}

const token = (symbol: string, i: number) => ({
  address: `0x${i.toString(16).padStart(40, '0')}` as const,
  symbol,
  isStock: true,
  feedPer: 'token' as const,
  feed: null,
})
const wantedNvda = {
  address: nvda,
  symbol: 'NVDA',
  isStock: true,
  feedPer: 'token' as const,
  feed: null,
} as const
const rowOf = (symbol: string, i: number, over = {}) => ({
  ...recorded,
  tokenSymbol: symbol,
  deployments: [{ contractAddress: token(symbol, i).address, chainId: 4663 }],
  ...over,
})
const answering = (...quotes: unknown[]): Handler => saying(JSON.stringify({ quotes }))

const start = async (handler: Handler) => {
  const { url, received } = await serve(handler)
  const source = createIssuerSource({
    url: `${url}/rhj`,
    chainId: 4663,
    httpClient: createPatientHttpClient(),
  })
  return { source, received, paths: () => received.map(({ path }) => path) }
}

describe("the issuer's quotes", () => {
  it('all in one request', async () => {
    const { source, paths } = await start(answering(recorded, rowOf('TSLA', 2)))
    expect(await source.read([wantedNvda], now)).toEqual({
      ok: true,
      value: { quotes: [quote], refused: [], expected: 1 },
    })
    expect(paths()).toEqual(['/rhj/prices'])
  })

  it.each([
    ['another chain', { deployments: [{ contractAddress: nvda, chainId: 1 }] }],
    [
      'another contract',
      { deployments: [{ contractAddress: token('X', 9).address, chainId: 4663 }] },
    ],
    ['no deployment', { deployments: [] }],
    ['deployments of another form', { deployments: 'none' }],
  ])('the contract decides, not the symbol: %s', async (_, over) => {
    const { source } = await start(answering({ ...recorded, ...over }))
    expect(await source.read([wantedNvda], now)).toMatchObject({
      value: { quotes: [], refused: [], expected: 1 },
    })
  })

  it('one of several deployments, a chain id as text, a symbol of its own', async () => {
    const deployments = [
      null,
      { contractAddress: nvda, chainId: 1 },
      { contractAddress: nvda, chainId: '4663' },
    ]
    const { source } = await start(answering({ ...recorded, tokenSymbol: 'NVDA2', deployments }))
    expect(await source.read([wantedNvda], now)).toMatchObject({ value: { quotes: [quote] } })
  })

  it.each([
    [{ currency: 'EUR' }, 'currency-not-usd'],
    [{ currency: undefined }, 'currency-not-usd'],
    [{ bid: '0' }, 'bid-not-positive'],
    [{ bid: '-225.38' }, 'bid-not-positive'],
    [{ ask: 'NaN' }, 'ask-not-a-number'],
    [{ bid: '226' }, 'crossed'],
    [{ bid: '', ask: '' }, 'price-missing'],
    [{ isTradingHalt: 'yes' }, 'halt-malformed'],
    [{ generatedAt: '2026-09-23' }, 'time-malformed'],
    [{ generatedAt: 1_790_189_020 }, 'time-malformed'],
    [{ generatedAt: '0001-01-01T00:00:00Z' }, 'time-malformed'],
    [{ generatedAt: '2026-09-23T18:44:16Z' }, 'clock-ahead'],
  ])('%j is refused as %s, and only this row', async (over, reason) => {
    const { source, paths } = await start(answering({ ...recorded, ...over }, rowOf('TSLA', 2)))
    const read = await source.read([wantedNvda, token('TSLA', 2)], now)
    expect(read).toMatchObject({
      value: {
        quotes: [{ address: token('TSLA', 2).address }],
        refused: [{ symbol: 'NVDA', reason }],
        expected: 2,
      },
    })
    expect(paths()).toEqual(['/rhj/prices'])
  })

  it('returns one side, a halt and an old time as they are', async () => {
    const over = { bid: '', isTradingHalt: true, generatedAt: '2026-09-20T20:00:00Z' }
    const { source } = await start(answering({ ...recorded, ...over }))
    expect(await source.read([wantedNvda], now)).toMatchObject({
      value: { quotes: [{ bid: null, ask: 225.39, halted: true, publishedTs: 1_789_934_400 }] },
    })
  })

  it('trusted tokens are not its business', async () => {
    const { source, paths } = await start(answering(recorded))
    const usdg = { ...token('USDG', 3), isStock: false, feedPer: 'token' as const }
    expect(await source.read([wantedNvda, usdg], now)).toMatchObject({
      value: { quotes: [quote], expected: 1 },
    })
    expect(paths()).toEqual(['/rhj/prices'])
  })

  it('an encoder that leaves out what is false', async () => {
    const { source } = await start(answering({ ...recorded, isTradingHalt: undefined }))
    expect(await source.read([wantedNvda], now)).toMatchObject({ value: { quotes: [quote] } })
  })

  it('of two rows for one token the later one counts', async () => {
    const older = { ...recorded, bid: '1', generatedAt: '2026-09-23T18:43:39Z' }
    const { source } = await start(answering(recorded, older))
    expect(await source.read([wantedNvda], now)).toMatchObject({ value: { quotes: [quote] } })
  })
})

describe('symbols that the bulk answer lacks', () => {
  const symbols = ['AAPL', 'AMD', 'QQQ', 'SPY', 'TSLA']
  const wanted = symbols.map((symbol, i) => token(symbol, i + 1))
  const single: Handler = ({ path }, response) => {
    const symbol = path.split('/')[3]
    const i = symbols.indexOf(symbol ?? '')
    response.end(JSON.stringify({ quotes: i < 0 ? [] : [rowOf(symbols[i] ?? '', i + 1)] }))
  }

  it('are asked for one by one, a few at a time, in turn', async () => {
    const { source, paths } = await start(single)
    const first = await source.read(wanted, now)
    expect(first.ok && first.value.quotes).toHaveLength(3)
    expect(paths().toSorted()).toEqual([
      '/rhj/prices',
      '/rhj/prices/AAPL',
      '/rhj/prices/AMD',
      '/rhj/prices/QQQ',
    ])
    await source.read(wanted, now + 15)
    expect(paths().slice(5).toSorted()).toEqual([
      '/rhj/prices/AAPL',
      '/rhj/prices/SPY',
      '/rhj/prices/TSLA',
    ])
  })

  it('not more than twenty a minute', async () => {
    const { source, received } = await start(single)
    for (let i = 0; i < 20; i++) await source.read(wanted, now + i)
    expect(received).toHaveLength(20 + 20)
  })

  it('a rate limit there costs nothing of the bulk answer, and a minute of patience', async () => {
    const { source, received } = await start(({ path }, response) => {
      response.end(
        path === '/rhj/prices' ? JSON.stringify({ quotes: [recorded] }) : 'local_rate_limited',
      )
    })
    const read = await source.read([wantedNvda, ...wanted], now)
    expect(read).toMatchObject({ value: { quotes: [quote], expected: 6 } })
    const { length } = received
    await source.read([wantedNvda, ...wanted], now + 15)
    expect(received).toHaveLength(length + 1)
    await source.read([wantedNvda, ...wanted], now + 60)
    expect(received.length).toBeGreaterThan(length + 2)
  })

  it('does not request symbols that cannot be part of a path', async () => {
    const { source, paths } = await start(single)
    const odd = ['../assets', 'A/B', 'A?x=1', '', 'NVDA%2f', 'TOOLONGTOOLONGTOO'].map(token)
    await source.read(odd, now)
    expect(paths()).toEqual(['/rhj/prices'])
  })
})

describe('when there is no answer', () => {
  it.each([
    ['rate-limited', 'plain text in a 200', saying('local_rate_limited')],
    ['rate-limited', 'a 429', saying('', 429)],
    ['malformed', 'a page', saying('<html>maintenance</html>')],
    ['malformed', 'another form', saying('{"rows":[]}')],
    ['malformed', 'null', saying('null')],
    ['unreachable', 'a 500', saying('oops', 500)],
  ])('%s: %s', async (kind, _, handler) => {
    const { source } = await start(handler)
    expect(await source.read([wantedNvda], now)).toMatchObject({ ok: false, fault: { kind } })
  })

  it('reports an unreachable host without secrets', async () => {
    const url = `${unreachableUrl}/CANARY01`
    const source = createIssuerSource({ url, chainId: 4663, httpClient: createPatientHttpClient() })
    const read = await source.read([wantedNvda], now)
    expect(read).toMatchObject({ ok: false, fault: { kind: 'unreachable' } })
    expect(JSON.stringify(read)).not.toContain('CANARY')
  })

  it('rows that are none are passed over', async () => {
    const { source } = await start(answering(null, 'row', [], recorded))
    expect(await source.read([wantedNvda], now)).toMatchObject({ value: { quotes: [quote] } })
  })
})
