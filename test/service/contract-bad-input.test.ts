import { beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { createApi, type Page } from './api.ts'
import { misfits } from './shape.ts'
import { problemShape } from './shapes.ts'
import { baseUrl } from './shared.ts'

const api = createApi(baseUrl)
let id = ''

beforeAll(async () => {
  const page = await api.read<Page<PoolView>>('/api/v1/pools?limit=1')
  id = page.items[0]?.id ?? ''
})

type Problem = {
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly error: { readonly code: string; readonly message: string; readonly param?: string }
}

const problemAt = async (path: string): Promise<Problem> => {
  const { status, text, headers } = await api.ask(path)
  expect(headers.get('content-type'), `${path} answered ${text}`).toBe('application/problem+json')
  const problem = JSON.parse(text) as Problem
  expect(misfits(problemShape, problem, path)).toEqual([])
  expect(problem.status).toBe(status)
  expect(problem.error.message).toBe(problem.detail)
  expect(problem.instance).toBe(new URL(path, 'http://host').pathname)
  return problem
}

const numbers = [
  '',
  'abc',
  '-1',
  '-0',
  '+5',
  '%205',
  '5%20',
  '0x10',
  '1e1',
  '5.0',
  '1,2',
  '1_0',
  'NaN',
]
const strangeDigits = ['%D9%A1', '%EF%BC%95', '5%00', 'null', '[5]', '99999999999999999999']
const malformedUtf8 = ['%ff', '%zz', '%', '%c0%af', '%ed%a0%80']
const booleans = ['', '1', '0', 'TRUE', 'True', 'yes', 'true,false', 'null']

const amounts = ['', '0', '0.0', '-1', '+1', '1e3', '0x10', '1,5', '.5', '5.', 'NaN', '1%20']

/** Every parameter, with texts that it must refuse. */
const refused: readonly (readonly [path: string, name: string, texts: readonly string[]])[] = [
  ['/api/v1/pools', 'limit', [...numbers, ...strangeDigits, '0', '51']],
  ['/api/v1/pools', 'offset', [...numbers, ...strangeDigits, '1000001']],
  [
    ...(['/api/v1/pools', 'symbol'] as const),
    ['', 'A'.repeat(17), 'NV%20DA', '%20NVDA', 'NVDA%00', 'NV_DA', 'NV%25', '%C3%84', '$NVDA'],
  ],
  ['/api/v1/pools', 'kind', ['', 'Meme', 'MEME', 'stock_stock', 'stockStock', 'all', 'meme,meme']],
  [
    ...(['/api/v1/pools', 'q'] as const),
    ['a'.repeat(81), '%F0%9F%90%B1'.repeat(81), 'a%00b', 'a%0Ab', '%7F', ...malformedUtf8],
  ],
  ['/api/v1/pools', 'version', ['', 'v2', 'V3', '3', 'v3,v4']],
  ['/api/v1/pools', 'venue', ['', 'x'.repeat(41), 'Uniswap%0Av3']],
  ['/api/v1/pools', 'active', booleans],
  ['/api/v1/pools', 'hot', booleans],
  ['/api/v1/pools', 'comparable', booleans],
  [
    ...(['/api/v1/pools', 'minLiquidityUsd'] as const),
    ['', 'abc', '-1', '+1', '1e3', '0x10', '1,5', '.5', '5.', 'NaN', 'Infinity', '1%20'],
  ],
  [
    ...(['/api/v1/pools', 'minDepthUsd'] as const),
    ['', 'abc', '-1', '-0', '+1', '1e3', '0x10', '1,5', '.5', '5.', 'NaN', 'Infinity', '1%20'],
  ],
  [
    '/api/v1/pools',
    'sort',
    ['', 'depthUsd', 'Depth', 'price', 'Liquidity', 'vol', 'lastswap', 'liquidity,created'],
  ],
  ['/api/v1/pools', 'order', ['', 'DESC', 'up', 'descending']],
  ['/api/v1/pools/ID', 'range', ['', '24H', '1d', '25h', 'day', '24', 'ALL', '24h,7d']],
  ['/api/v1/pools/ID/quote', 'side', ['', 'Buy', 'SELL', 'both', 'buy,sell']],
  ['/api/v1/pools/ID/quote', 'stockAmount', [...amounts, '1e18']],
  ['/api/v1/pools/ID/quote', 'otherAmount', [...amounts, '9'.repeat(79)]],
  ['/api/v1/pools/ID/quote', 'stockAmountRaw', [...amounts, '1.5', `${2n ** 256n}`]],
  ['/api/v1/pools/ID/quote', 'otherAmountRaw', [...amounts, '1.0', '9'.repeat(79)]],
  ['/api/v1/pools/ID/quote', 'usd', [...amounts, '1000000000000001']],
  ['/api/v1/pools/ID/depth', 'segments', ['', 'None', 'far', 'near,all']],
  ['/api/v1/stocks/NVDA/quote', 'side', ['', 'Buy', 'SELL', 'both', 'buy,sell']],
  ['/api/v1/stocks/NVDA/quote', 'stockAmount', [...amounts, '9'.repeat(79)]],
  ['/api/v1/stocks/NVDA/quote', 'usd', [...amounts, '1000000000000001']],
  ['/api/v1/stocks', 'limit', [...numbers, '0', '51']],
  ['/api/v1/stocks', 'offset', [...numbers, '1000001']],
  ['/api/v1/stocks', 'q', ['a'.repeat(81), 'a%00b', ...malformedUtf8]],
  ['/api/v1/stocks/NVDA', 'range', ['', '24H', '1d', 'forever']],
]

describe.each(refused)('%s?%s=', (path, name, texts) => {
  test.each(texts)('%j', async (text) => {
    const problem = await problemAt(`${path.replace('ID', id)}?${name}=${text}`)
    expect([problem.status, problem.error.code]).toEqual([400, 'invalid_parameter'])
    expect(problem.error.param).toBe(name)
    expect(problem.detail).toContain(name)
  })
})

/** What is at the very edge of the rules is no fault. */
test.each([
  ['the least limit', 'limit=1'],
  ['the greatest limit', 'limit=50'],
  ['a leading zero', 'limit=05'],
  ['the least offset', 'offset=0'],
  ['the greatest offset', 'offset=1000000'],
  ['every kind of ticker character', 'symbol=n.v-d9'],
  ['a ticker of 16 characters', `symbol=${'A'.repeat(16)}`],
  ['a search of 80 characters', `q=${'a'.repeat(80)}`],
  ['a search of 80 characters of four bytes', `q=${'%F0%9F%90%B1'.repeat(80)}`],
  ['80 characters between spaces', `q=%20%20${'a'.repeat(80)}%20`],
  ['an empty search', 'q='],
  ['a search for a space', 'q=%20'],
  ['a search for a space as forms have it', 'q=+'],
  ['no dollars', 'minLiquidityUsd=0'],
  ['half a dollar', 'minLiquidityUsd=0.5'],
  ['no dollars of depth', 'minDepthUsd=0'],
  ['half a dollar of depth', 'minDepthUsd=0.5'],
  ['an empty query', ''],
  ['an empty pair', '&'],
  ['an empty pair at the end', 'limit=1&'],
])('accepts %s', async (_what, query) => {
  expect(await api.ask(`/api/v1/pools?${query}`)).toMatchObject({ status: 200 })
})

/** Every endpoint rejects unknown parameters; names are case-sensitive. */
test.each([
  ['/api/v1', 'x'],
  ['/api/v1/health', 'x'],
  ['/api/v1/status', 'verbose'],
  ['/healthz', 'x'],
  ['/api/v1/pools', 'x'],
  ['/api/v1/pools', 'Limit'],
  ['/api/v1/pools', 'SYMBOL'],
  ['/api/v1/pools', 'limit[]'],
  ['/api/v1/pools', '__proto__'],
  ['/api/v1/pools', 'constructor'],
  ['/api/v1/pools', 'toString'],
  ['/api/v1/pools', 'range'],
  ['/api/v1/pools', 'id'],
  ['/api/v1/pools/ID', 'limit'],
  ['/api/v1/pools/ID', 'Range'],
  ['/api/v1/stocks', 'kind'],
  ['/api/v1/stocks', 'symbol'],
  ['/api/v1/stocks/NVDA', 'offset'],
] as const)('%s does not know %s', async (path, name) => {
  const problem = await problemAt(`${path.replace('ID', id)}?${name}=1`)
  expect([problem.status, problem.error.code]).toEqual([400, 'unknown_parameter'])
  expect(problem.error.param).toBe(name)
})

test.each([
  ['/api/v1/pools', 'limit=5&limit=5', 'limit'],
  ['/api/v1/pools', 'q=a&q=b', 'q'],
  ['/api/v1/pools', 'symbol=NVDA&kind=meme&symbol=NVDA', 'symbol'],
  ['/api/v1/pools', 'hot=true&h%6Ft=true', 'hot'],
  ['/api/v1/pools/ID', 'range=24h&range=24h', 'range'],
  ['/api/v1/stocks', 'offset=1&offset=2', 'offset'],
])('rejects the repeated parameter of %s?%s', async (path, query, name) => {
  const problem = await problemAt(`${path.replace('ID', id)}?${query}`)
  expect([problem.status, problem.error.code]).toEqual([400, 'invalid_parameter'])
  expect(problem.error.param).toBe(name)
})

const hex = (digits: number): string => '0123456789abcdef'.repeat(5).slice(0, digits)

test.each([
  'x',
  '40',
  hex(40),
  `0x${hex(39)}`,
  `0x${hex(41)}`,
  `0x${hex(63)}`,
  `0x${hex(65)}`,
  `0x${'g'.repeat(40)}`,
  `0x${hex(40)}%20`,
  `0x${hex(40)}%00`,
  '__proto__',
  '%F0%9F%90%B1',
])('rejects /api/v1/pools/%s as invalid pool id', async (text) => {
  const problem = await problemAt(`/api/v1/pools/${text}`)
  expect([problem.status, problem.error.code]).toEqual([400, 'invalid_pool_id'])
  expect(problem.error.param).toBe('id')
})

test.each(['A_B', 'A'.repeat(17), '%C3%84', `0x${hex(41)}`, 'NV%20DA', '__proto__'])(
  '/api/v1/stocks/%s is neither a ticker nor an address',
  async (text) => {
    const problem = await problemAt(`/api/v1/stocks/${text}`)
    expect([problem.status, problem.error.code]).toEqual([400, 'invalid_parameter'])
    expect(problem.error.param).toBe('symbol')
  },
)

test.each([
  [`/api/v1/pools/0x${hex(40)}`, 'pool_not_found'],
  [`/api/v1/pools/0x${hex(64)}?range=all`, 'pool_not_found'],
  [`/api/v1/pools/0x${'0'.repeat(40)}`, 'pool_not_found'],
  ['/api/v1/stocks/ZZZZ', 'stock_not_found'],
  [`/api/v1/stocks/0x${hex(40)}`, 'stock_not_found'],
  ['/api/v1/stocks/constructor', 'stock_not_found'],
])('returns 404 for %s', async (path, code) => {
  const problem = await problemAt(path)
  expect([problem.status, problem.error.code]).toEqual([404, code])
})

test('reports malformed input before a missing resource', async () => {
  const problem = await problemAt(`/api/v1/pools/0x${hex(40)}?range=never`)
  expect(problem.error.code).toBe('invalid_parameter')
})
