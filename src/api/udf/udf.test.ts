import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startForTest, startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { samplePools } from '../../../test/support/api/sample-market.ts'
import { walkBack } from '../../../test/support/api/udf-walk.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { HistoryQuery } from '../../market/history.ts'
import { priceScaleOf } from './udf-symbols.ts'

/* What a charting library reads, by TradingView's public convention. */

const [canonical, meme] = samplePools
const step = 3600
const start = 1_795_000_000 - (1_795_000_000 % step)
const barCount = 2500
/** Bars between which none has a price: more than the pages that one request reads. */
const unpriced = { from: 600, to: 620 }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const isPriced = (at: number): boolean =>
  at % 10 !== 9 && !(at >= unpriced.from && at < unpriced.to)

/** Bars of an hour, the price of each its number; every tenth without a price. */
const pageOf = ({ limit, cursor, fromTs, toTs }: HistoryQuery<{ readonly ts: number }>) => {
  const numbers = Array.from({ length: barCount }, (_, at) => barCount - 1 - at).filter((at) => {
    const ts = start + at * step
    return ts >= (fromTs ?? 0) && ts <= (toTs ?? ts) && ts < (cursor?.ts ?? Infinity)
  })
  const items = numbers.slice(0, limit).map((at) => {
    const price = isPriced(at) ? at : null
    const ohlc = { open: price, high: price, low: price, close: price }
    const volumeUsd = at % 10 === 8 ? null : 2 * at
    return { ts: start + at * step, ...ohlc, volumeUsd, volumeStock: null, swaps: 1, closed: true }
  })
  const last = items.at(-1)
  const next = numbers.length > limit && last !== undefined ? { ts: last.ts } : null
  return success({ items, next, asOfBlock: 7, complete: true })
}

beforeEach(() => {
  server.market.queries.length = 0
  Object.assign(server.market, {
    poolCandles: async (id: string, query: HistoryQuery<{ readonly ts: number }>) => {
      server.market.queries.push({ id, query })
      return pageOf(query)
    },
    stockCandles: async (_key: unknown, query: HistoryQuery<{ readonly ts: number }>) =>
      pageOf(query),
  })
})

const read = async (path: string) => {
  const reply = await server.request(path)
  expect(reply.status, path).toBe(200)
  return reply.json()
}

describe('/udf/config and /udf/time', () => {
  test('offer search, time and the widths of the candles', async () => {
    const config = await read('/udf/config')
    expect(config).toMatchObject({
      supports_search: true,
      supports_group_request: false,
      supports_time: true,
      supported_resolutions: ['1', '5', '15', '60', '240', '1D'],
    })
  })

  test('every origin may read them, and they count against the rate limit', async () => {
    const limited = await startForTest({ rateLimitPerMinute: 60 })
    const { headers } = await limited.request('/udf/config', {
      headers: { origin: 'https://example.org' },
    })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).toHaveProperty('ratelimit')
  })

  test('the time is seconds as text', async () => {
    const { text, headers } = await server.request('/udf/time')
    expect(text).toMatch(/^[0-9]{10}$/)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('/udf/symbols', () => {
  test('describes a stock', async () => {
    expect(await read('/udf/symbols?symbol=nvda')).toMatchObject({
      ...{ name: 'NVDA', ticker: 'NVDA', type: 'stock', session: '24x7', timezone: 'Etc/UTC' },
      ...{ minmov: 1, pricescale: 1000, has_intraday: true, exchange: 'STOCKPOOLS' },
      supported_resolutions: ['1', '5', '15', '60', '240', '1D'],
    })
  })

  test.each([canonical?.id, `STOCKPOOLS:${canonical?.id}`])('describes pool %s', async (symbol) => {
    expect(await read(`/udf/symbols?symbol=${symbol}`)).toMatchObject({
      ...{ name: 'NVDA/WETH', ticker: canonical?.id, type: 'pool', pricescale: 1000 },
      description: expect.stringContaining('US dollars'),
    })
  })

  test.each(['NONE', `0x${'9'.repeat(40)}`])('%s is an unknown symbol', async (symbol) => {
    const error = { s: 'error', errmsg: 'unknown_symbol' }
    expect(await read(`/udf/symbols?symbol=${symbol}`)).toEqual(error)
  })

  test.each([
    [null, 100],
    [225.4, 1000],
    [1, 100_000],
    [1_234_567, 100],
    [0.000_012_3, 1e10],
    [3e-12, 1e15],
  ])('a price of %s has the scale %s', (price, scale) => {
    expect(priceScaleOf(price)).toBe(scale)
  })
})

describe('/udf/search', () => {
  test('finds stocks, then pools', async () => {
    const found: { type: string; ticker: string }[] = await read('/udf/search?query=NVDA&limit=9')
    expect(found[0]).toMatchObject({ ticker: 'NVDA', type: 'stock', exchange: 'STOCKPOOLS' })
    expect(found.map(({ ticker }) => ticker)).toContain(canonical?.id)
  })

  test.each([
    ['type=stock', 'stock'],
    ['type=pool', 'pool'],
  ])('with %s only these', async (query, type) => {
    const found: { type: string }[] = await read(`/udf/search?query=&${query}&exchange=`)
    expect(new Set(found.map((row) => row.type))).toEqual(new Set([type]))
  })

  test('has at most as many rows as asked for', async () => {
    expect(await read('/udf/search?limit=3')).toHaveLength(3)
  })
})

describe('/udf/history', () => {
  const path = (query: string, symbol: string = canonical?.id ?? '') =>
    `/udf/history?symbol=${symbol}&resolution=60&${query}`
  const at = (bar: number) => start + bar * step
  const pricedBars = Array.from({ length: barCount }, (_, bar) => bar).filter(isPriced)

  test.each([
    ...[true, false].flatMap((countsBack) => [7, 329, 5000].map((bars) => ({ countsBack, bars }))),
  ])('a library reads every bar once, in order: %o', async ({ countsBack, bars }) => {
    const walk = { query: `symbol=NVDA&resolution=60`, to: at(barCount + 3), barSeconds: step }
    const history = (query: string) => read(`/udf/history?${query}`)
    const found = await walkBack({ ...walk, read: history, bars, countsBack })
    expect(found.map(({ ts, open }) => [ts, open])).toEqual(pricedBars.map((bar) => [at(bar), bar]))
  })

  test('a page that holds one bar is no end of the data', async () => {
    // As where a bar has so many swaps that a page ends behind it.
    Object.assign(server.market, {
      stockCandles: async (_key: unknown, query: HistoryQuery<{ readonly ts: number }>) =>
        pageOf({ ...query, limit: 1 }),
    })
    const asked = `from=${at(0)}&to=${at(unpriced.to)}`
    for (const countback of ['', '&countback=300']) {
      const reply = await read(path(`${asked}${countback}`, 'NVDA'))
      expect(reply).toEqual({ s: 'no_data', nextTime: at(unpriced.to - 10) - 1 })
    }
    const walk = { query: `symbol=NVDA&resolution=60`, to: at(unpriced.to), barSeconds: step }
    const history = (query: string) => read(`/udf/history?${query}`)
    const found = await walkBack({ ...walk, read: history, bars: 300, countsBack: true })
    expect(found.map(({ open }) => open)).toEqual(pricedBars.filter((bar) => bar < unpriced.to))
  })

  test('returns bars oldest first, from the first time to before the last', async () => {
    const { s, t, o, v } = await read(path(`from=${at(10)}&to=${at(13)}`))
    expect({ s, t, o, v }).toEqual({
      ...{ s: 'ok', t: [at(10), at(11), at(12)], o: [10, 11, 12], v: [20, 22, 24] },
    })
  })

  test('leaves out bars without a price; an unknown volume is null', async () => {
    const { t, v } = await read(path(`from=${at(8)}&to=${at(11)}`))
    expect([t, v]).toEqual([
      [at(8), at(10)],
      [null, 20],
    ])
  })

  test.each([1, 50, 1700])('countback of %s goes before from', async (countback) => {
    const { t } = await read(path(`from=${at(2400)}&to=${at(2400)}&countback=${countback}`))
    expect(t).toHaveLength(countback)
    expect(t.at(-1)).toBe(at(2398))
  })

  test('a whole history is read page by page', async () => {
    const { t } = await read(path(`from=-100000&to=${at(barCount)}`, 'NVDA'))
    expect(t).toHaveLength(pricedBars.length)
  })

  test('without bars it says when the last one before was', async () => {
    const after = `from=${at(barCount + 5)}&to=${at(barCount + 9)}`
    const last = { s: 'no_data', nextTime: at(barCount - 2) }
    expect(await read(path(`from=${at(9)}&to=${at(10)}`))).toEqual({
      s: 'no_data',
      nextTime: at(8),
    })
    expect(await read(path(after))).toEqual({ s: 'no_data', nextTime: last.nextTime })
    expect(await read(path(`from=0&to=${start}`))).toEqual({ s: 'no_data' })
    expect(await read(path(`from=9&to=8`))).toEqual({ s: 'no_data' })
  })

  test('what is not kept any more is the end of the data', async () => {
    const pruned = async () => failure({ kind: 'history-pruned', keptSince: start } as const)
    Object.assign(server.market, { poolCandles: pruned })
    expect(await read(path(`from=1&to=2`))).toEqual({ s: 'no_data' })
  })

  test('a pool is in dollars, one of a meme in other tokens, without reading swaps', async () => {
    for (const [id, price] of [
      [canonical?.id, 'usd'],
      [meme?.id, 'other'],
    ]) {
      await read(path(`from=1&to=${at(3)}`, id))
      const query = { price, fill: 'none', hasStockVolume: false, width: '1h' }
      expect(server.market.queries).toContainEqual(
        expect.objectContaining({ id, query: expect.objectContaining(query) }),
      )
    }
  })

  test.each([
    ['symbol=NVDA&resolution=2&from=1&to=2', 'resolution'],
    ['symbol=NVDA&resolution=60&from=1', 'to'],
    ['symbol=NVDA&resolution=60&from=1&to=2&countback=0', 'countback'],
    ['symbol=NVDA&resolution=60&from=a&to=2', 'from'],
    ['symbol=%20&resolution=60&from=1&to=2', 'symbol'],
    ['symbol=NVDA&resolution=60&from=1&to=2&x=1', 'query parameter'],
    ['symbol=NONE&resolution=60&from=1&to=2', 'unknown_symbol'],
  ])('?%s is an error in the form of the convention', async (query, text) => {
    const reply = await read(`/udf/history?${query}`)
    expect(reply).toEqual({ s: 'error', errmsg: expect.stringContaining(text) })
  })
})

test('before the first snapshot they say so', async () => {
  const loading = await startForTest()
  loading.market.ready = false
  for (const path of ['symbols?symbol=NVDA', 'history?symbol=NVDA&resolution=1&from=1&to=2']) {
    const reply = (await loading.request(`/udf/${path}`)).json()
    expect(reply).toEqual({ s: 'error', errmsg: 'the service is still loading' })
  }
})
