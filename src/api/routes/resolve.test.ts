import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'

test.each([
  ['q=%24NVDA', '$NVDA'],
  ['q=+nvda+', 'nvda'],
  ['q=NVD%D0%90', 'NVDА'],
])('%s asks for %s', async (query, q) => {
  const { request, market } = await startForTest()
  const reply = await request(`/api/v1/resolve?${query}`)
  expect([reply.status, market.queries.at(-1)]).toEqual([200, { q }])
})

test.each(['', 'q=', 'q=+', 'q=%00', `q=${'a'.repeat(81)}`])('refuses %.20s', async (query) => {
  const { request } = await startForTest()
  const reply = await request(`/api/v1/resolve?${query}`)
  expect(reply.status).toBe(400)
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_parameter', param: 'q' } })
})
