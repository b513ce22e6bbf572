import { afterAll, expect, test } from 'vitest'
import { eventually } from './api.ts'
import { openService } from './numbers/moment.ts'

/* The traders of the store against the transactions of the node. */

const service = openService()
afterAll(() => service.stored.close())

const swapsOfSample = 200

test('every stored swap gets the sender of its transaction', async () => {
  const { chain, stored } = service
  const { block } = stored.state()
  const traders = await eventually(
    () => stored.traders(block),
    (rows) => rows.length > 0 && rows.every(({ trader }) => trader !== null),
  )
  const step = Math.max(1, Math.floor(traders.length / swapsOfSample))
  const sample = traders.filter((_, at) => at % step === 0)
  const senders = await Promise.all(
    sample.map(async ({ txHash }) => {
      const { from } = await chain.request<{ from: string }>('eth_getTransactionByHash', [txHash])
      return { txHash, trader: from.toLowerCase() }
    }),
  )
  expect(sample).toEqual(senders)
  expect(new Set(senders.map(({ trader }) => trader)).size).toBeGreaterThan(1)
})
