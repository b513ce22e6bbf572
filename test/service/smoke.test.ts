import { expect, test } from 'vitest'
import { baseUrl } from './shared.ts'

test('the service that a user starts is well, and every source of it is', async () => {
  const answer = await fetch(`${baseUrl}/api/v1/health`)
  expect(answer.status).toBe(200)
  const health = (await answer.json()) as { ok: boolean; pools: { total: number } }
  expect(health.ok).toBe(true)
  expect(health.pools.total).toBeGreaterThanOrEqual(40)
})
