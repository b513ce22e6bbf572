import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poolsEndpoint } from '../routes/pools.ts'
import { stocksEndpoint } from '../routes/stocks.ts'
import { decodeFormText, parseQuery, type QueryFields } from './query.ts'

const pools = poolsEndpoint.queryFields

const faultOf = (fields: QueryFields, raw: string) => {
  const parsed = parseQuery(fields, raw)
  return parsed.ok ? null : [parsed.fault.code, parsed.fault.param]
}
const meaningOf = (name: string, raw: string): unknown => {
  const parsed = parseQuery(pools, raw)
  return parsed.ok ? parsed.value[name] : parsed.fault
}

// Form text as it stands in a URL, and what it means; undefined: it means nothing.
describe('decoding', () => {
  it.each([
    ['', ''],
    ['NVDA', 'NVDA'],
    ['a+b', 'a b'],
    ['a%20b', 'a b'],
    ['%2B', '+'],
    ['%c3%89', 'É'],
    ['%C3%89', 'É'],
    ['%F0%9F%92%8E', '💎'],
    ['%EF%BB%BFa', '\uFEFFa'],
    ['100%25', '100%'],
    ['%00', '\0'],
    ['%', undefined],
    ['%zz', undefined],
    ['%2', undefined],
    ['100%', undefined],
    ['%c3', undefined],
    ['%c0%80', undefined],
    ['%e0%80%af', undefined],
    ['%ed%a0%80', undefined],
    ['%f5%80%80%80', undefined],
    ['%ff', undefined],
    ['É', undefined],
    ['\u0661', undefined],
  ])('%j decodes to %j', (raw, text) => {
    expect(decodeFormText(raw)).toBe(text)
  })

  it('decodes what URLSearchParams encodes', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, (value) => {
        const raw = new URLSearchParams({ q: value }).toString().slice(2)
        expect(decodeFormText(raw)).toBe(value)
      }),
    )
  })
})

describe('names', () => {
  it.each([
    ['limits=5', ['unknown_parameter', 'limits']],
    ['Limit=5', ['unknown_parameter', 'Limit']],
    ['LIMIT=5', ['unknown_parameter', 'LIMIT']],
    ['minliquidityusd=5', ['unknown_parameter', 'minliquidityusd']],
    ['limit%20=5', ['unknown_parameter', 'limit ']],
    ['limit[]=5', ['unknown_parameter', 'limit[]']],
    ['limit[0]=5', ['unknown_parameter', 'limit[0]']],
    ['__proto__=5', ['unknown_parameter', '__proto__']],
    ['constructor=5', ['unknown_parameter', 'constructor']],
    ['hasOwnProperty=5', ['unknown_parameter', 'hasOwnProperty']],
    ['toString=5', ['unknown_parameter', 'toString']],
    ['=5', ['unknown_parameter', '']],
    ['%zz=5', ['unknown_parameter', '%zz']],
    ['%00=5', ['unknown_parameter', '\0']],
    ['limit;offset=5', ['unknown_parameter', 'limit;offset']],
    ['limit=5&limit=5', ['invalid_parameter', 'limit']],
    ['limit=5&limit=6', ['invalid_parameter', 'limit']],
    ['limit=5&l%69mit=6', ['invalid_parameter', 'limit']],
    ['limit=5&offset=1&limit=5', ['invalid_parameter', 'limit']],
    ['q&q', ['invalid_parameter', 'q']],
    ['offset=1&x=1&limit=0', ['unknown_parameter', 'x']],
    ['offset=1&limit=0&x=1', ['invalid_parameter', 'limit']],
  ])('rejects %s', (raw, fault) => {
    expect(faultOf(pools, raw)).toEqual(fault)
  })

  it.each(['', '&', '&&', 'limit=5&', '&limit=5', 'limit=5&&offset=0', 'l%69mit=5', 'q'])(
    '%j has nothing wrong',
    (raw) => {
      expect(faultOf(pools, raw)).toBeNull()
    },
  )

  it('repeats at most 64 characters of an unknown name', () => {
    expect(faultOf(pools, 'x'.repeat(5_000))).toEqual(['unknown_parameter', 'x'.repeat(64)])
  })

  it('suggests the correct name', () => {
    const parsed = parseQuery(pools, 'LIMIT=5')
    expect(parsed).toMatchObject({ fault: { detail: expect.stringContaining('limit') } })
    const none = parseQuery({}, 'limit=5')
    expect(none).toMatchObject({ fault: { detail: expect.stringContaining('none') } })
  })
})

// Name, what it may be and what that becomes; then what it may not be.
const values: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  [
    'limit',
    { '1': 1, '25': 25, '50': 50, '050': 50, '%35': 5 },
    '0,51,-1,-0,+5, 5,5 ,%2B5,%205,5%20,0x10,1e1,1.0,1.,1_0,NaN,,%D9%A1,%EF%BC%95,5%00,١,0000000005'.split(
      ',',
    ),
  ],
  [
    'offset',
    { '0': 0, '000': 0, '1000000': 1_000_000 },
    '1000001,-1,-0,+0,0x1,1e6,1.5,,%D9%A0,99999999999999999999,0 ,null'.split(','),
  ],
  [
    'symbol',
    {
      NVDA: 'NVDA',
      nvda: 'NVDA',
      'BRK.B': 'BRK.B',
      'a-1': 'A-1',
      ABCDEFGHIJKLMNOP: 'ABCDEFGHIJKLMNOP',
    },
    [
      '',
      'ABCDEFGHIJKLMNOPQ',
      'NV DA',
      'NV+DA',
      'NVDA%00',
      'NVD%C3%84',
      'A_B',
      '$NVDA',
      '%25',
      '%zz',
    ],
  ],
  [
    'kind',
    { canonical: 'canonical', meme: 'meme', 'stock-stock': 'stock-stock' },
    ['', 'Meme', 'stock_stock', 'meme%20', 'canonical,meme', 'all', '__proto__'],
  ],
  [
    'q',
    {
      '': null,
      '%20': null,
      '+++': null,
      '+nvda+': 'nvda',
      '%25_': '%_',
      "'%22%3Cb%3E": `'"<b>`,
      ['x'.repeat(80)]: 'x'.repeat(80),
      [`+${'x'.repeat(80)}+`]: 'x'.repeat(80),
      ['%F0%9F%92%8E'.repeat(80)]: '💎'.repeat(80),
      '%0Anvda%09': 'nvda',
      'a=b': 'a=b',
    },
    [
      'x'.repeat(81),
      '%F0%9F%92%8E'.repeat(81),
      '%00',
      'a%00b',
      'a%0Ab',
      'a%C2%85b',
      '%7F',
      '%zz',
      '%c0%80',
      '%ff',
      '%',
    ],
  ],
  ['version', { v3: 'v3', v4: 'v4' }, ['', 'V3', '3', 'v2', 'v3,v4']],
  [
    'active',
    { true: true, false: false },
    ['', '1', '0', 'TRUE', 'True', 'yes', 'null', 'true%20'],
  ],
  ['hot', { true: true, false: false }, ['', '1', 'no']],
  ['comparable', { true: true, false: false }, ['', '1', 'no']],
  [
    'minLiquidityUsd',
    { '0': 0, '1000': 1000, '0.5': 0.5, '1000000000000000': 1e15 },
    [
      '',
      '-1',
      '-0',
      '1e3',
      '.5',
      '5.',
      'Infinity',
      'NaN',
      '0x10',
      '1,000',
      '1000000000000001',
      '+1',
    ],
  ],
  [
    'minDepthUsd',
    { '0': 0, '1000': 1000, '0.5': 0.5, '1000000000000000': 1e15 },
    ['', '-1', '-0', '1e3', '.5', '5.', 'Infinity', 'NaN', '0x10', '1,000', '1000000000000001'],
  ],
  [
    'sort',
    {
      liquidity: 'liquidity',
      vol1h: 'vol1h',
      vol24h: 'vol24h',
      created: 'created',
      lastSwap: 'lastSwap',
      premium: 'premium',
      depth: 'depth',
      feeApr24h: 'feeApr24h',
    },
    ['', 'lastswap', 'id', 'liquidityUsd', 'depthUsd', 'liquidity,vol1h', '-liquidity', 'toString'],
  ],
  ['order', { asc: 'asc', desc: 'desc' }, ['', 'ASC', 'ascending', '-1']],
]

describe.each(values)('%s', (name, good, bad) => {
  it.each(Object.entries(good))('parses %s as %j', (raw, value) => {
    expect(meaningOf(name, `${name}=${raw}`)).toEqual(value)
  })

  it.each(bad)('rejects %j and names %s', (raw) => {
    expect(faultOf(pools, `${name}=${raw}`)).toEqual(['invalid_parameter', name])
  })
})

describe('absent parameters', () => {
  it('have the documented defaults', () => {
    expect(parseQuery(pools, '')).toEqual({
      ok: true,
      value: {
        symbol: null,
        kind: null,
        q: null,
        limit: 25,
        offset: 0,
        version: null,
        venue: null,
        active: null,
        hot: null,
        comparable: null,
        minLiquidityUsd: null,
        minDepthUsd: null,
        sort: null,
        order: 'desc',
      },
    })
    const stocks = parseQuery(stocksEndpoint.queryFields, '')
    expect(stocks).toEqual({ ok: true, value: { q: null, limit: 25, offset: 0 } })
  })
})

describe('arbitrary text', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 200 })
  const nearText = fc
    .array(fc.constantFrom(...'limit=offset&q%25zz+é\u0661'.split(''), '%', '%c0', 'limit=', '&'))
    .map((pieces) => pieces.join(''))

  it('is parsed or rejected without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nearText), (raw) => {
        const parsed = parseQuery(pools, raw)
        if (parsed.ok) return
        expect(['unknown_parameter', 'invalid_parameter']).toContain(parsed.fault.code)
        expect(parsed.fault.param).toBeTypeOf('string')
      }),
    )
  })
})
