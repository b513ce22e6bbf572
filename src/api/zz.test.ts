import { test } from 'vitest'
import { startServer } from './testing/harness.ts'
import { createSampleMarket } from './testing/sample-market.ts'
test('x', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const market = { ...createSampleMarket(), stocks: async ({ limit, offset }: any) => { asked.resolve(); await answered.promise; return { items: [], total: 0, limit, offset } } }
  const server = await startServer({ market })
  const running = server.ask('/api/v1/stocks').then((r) => console.log('got', r.status, r.headers), (e) => console.log('bad', e))
  await asked.promise
  const closed = server.close()
  if (process.env.WAIT) await new Promise((r) => setTimeout(r, 50))
  answered.resolve()
  await running; await closed
  await server.ask('/healthz').catch((e) => console.log('after', e.message))
})
