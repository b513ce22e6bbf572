import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const path = (addresses: readonly string[]) => `/api/v1/prices?addresses=${addresses.join(',')}`

test('a hundred addresses in any case are asked at once', async () => {
  const { request, market } = await startForTest()
  const addresses = Array.from({ length: 100 }, (_, at) => addressOf(0xab00 + at))
  const reply = await request(path(addresses.map((each) => `0x${each.slice(2).toUpperCase()}`)))
  expect(reply.json().items.map(({ address }: { address: string }) => address)).toEqual(addresses)
  expect(market.queries.at(-1)).toEqual({ addresses })
  const escaped = await request(`/api/v1/prices?addresses=${addresses.join('%2C')}`)
  expect([escaped.status, escaped.json().items.length]).toEqual([200, 100])
})

test.each([
  [path(Array.from({ length: 101 }, (_, at) => addressOf(at))), 'these are 101'],
  [path([addressOf(1), '0x12', addressOf(2)]), 'number 2, "0x12", is not 0x and 40'],
  [path([addressOf(1), '']), 'number 2, "", is not'],
  [path([]), 'number 1, "", is not'],
  [path([`${addressOf(1)}${'f'.repeat(60)}`]), `"${addressOf(1)}ffffffff", is not`],
  ['/api/v1/prices', 'must be 1 to 100 addresses, separated by commas'],
  ['/api/v1/prices?addresses=%zz', 'must be 1 to 100 addresses, separated by commas'],
])('refuses %.60s and says what is wrong', async (target, detail) => {
  const { request } = await startForTest()
  const reply = await request(target)
  expect(reply.status).toBe(400)
  expect(reply.json()).toMatchObject({
    detail: expect.stringContaining(detail),
    error: { code: 'invalid_parameter', param: 'addresses' },
  })
})
