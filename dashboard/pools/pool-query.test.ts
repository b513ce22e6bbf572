import { expect, test } from 'vitest'
import { everything, filterOf, readPoolQuery, sortedBy, writePoolQuery } from './pool-query.ts'

/* The URL is the state of the table: it survives a round trip, and invalid values are ignored. */

test.each([
  ['/', everything],
  ['/?q=50%25+%26+%3Cb%3E', { ...everything, q: '50% & <b>' }],
  [
    '/?symbol=NVDA&kind=meme&version=v4&hot=true&page=3',
    { ...everything, symbol: 'NVDA', kind: 'meme', version: 'v4', hot: true, page: 3 },
  ],
  ['/?sort=depth', { ...everything, sort: 'depth' }],
  ['/?sort=premium&order=asc', { ...everything, sort: 'premium', order: 'asc' }],
] as const)('%s and back', (address, query) => {
  expect(readPoolQuery(address.slice(1))).toEqual(query)
  expect(writePoolQuery(query)).toBe(address)
})

test.each([
  '?kind=dog',
  '?page=-1',
  '?page=1.5',
  '?page=99999999',
  '?symbol=%3Cscript%3E',
  '?sort=__proto__',
  '?version=v5&order=up',
])('%s shows everything', (search) => {
  expect(readPoolQuery(search)).toEqual(everything)
})

test('limits queries to what the API accepts', () => {
  expect([...readPoolQuery(`?q=${'é'.repeat(200)}`).q].length).toBe(80)
  expect(filterOf({ ...everything, q: '  ' })).toEqual({})
  expect(filterOf(sortedBy(everything, 'liquidity'))).toEqual({ sort: 'liquidity', order: 'asc' })
})
