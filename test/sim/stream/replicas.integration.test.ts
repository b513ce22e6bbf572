import { expect, onTestFinished, test } from 'vitest'
import {
  createPostgresReader,
  createPostgresStore,
} from '../../../src/store/postgres/postgres-store.ts'
import { startPostgres } from '../../setup/postgres.ts'
import { startServer } from '../../support/api/harness.ts'
import { marketOver } from '../../support/market/sample-market.ts'
import { opened } from '../../support/store/benches.ts'
import { unlimited } from '../../support/store/patience.ts'
import { createStreamChain } from './stream-chain.ts'
import { createStreamListener, keysOf } from './stream-listener.ts'

/*
 * Two API processes over one PostgreSQL store, each with its own reads of it; a client moves from
 * one to the other and back, while the chain grows and is reorganised:
 *
 *   index ── PostgreSQL ──┬── API ──┐
 *                         └── API ──┴── client
 */

test('a client resumes on another process over the same store', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.dispose)
  const url = await postgres.createDatabase()
  const store = opened(await createPostgresStore({ url, leaseGeneration: null, limits: unlimited }))
  onTestFinished(store.close)
  const chain = await createStreamChain(store)
  await chain.extend([1, 0])

  const startApi = async () => {
    const reader = opened(await createPostgresReader({ url, limits: unlimited }))
    const { market } = marketOver(reader)
    const server = await startServer({ market })
    await market.refresh()
    onTestFinished(async () => {
      await server.close()
      await reader.close()
    })
    return { market, port: server.port }
  }
  const apis = [await startApi(), await startApi()] as const
  const listener = createStreamListener(chain)
  onTestFinished(listener.disconnect)
  await listener.connect(apis[0].port)

  for (let round = 0; round < 24; round++) {
    const [here, there] = round % 2 === 0 ? apis : [apis[1], apis[0]]
    await chain.extend([round % 4, 2, 1])
    // The other one is behind, as far, or ahead.
    if (round % 3 !== 0) await here.market.refresh()
    if (round % 5 === 0) await chain.reorganise(2 + (round % 4), [1, 2, 1], round % 3)
    if (round % 3 === 1) await there.market.refresh()
    listener.disconnect()
    if (round % 4 === 3) await chain.extend([150, 120])
    await listener.connect(there.port)
    const isBehind = async () => {
      await there.market.refresh()
      return listener.held().join() !== keysOf(chain.swaps()).join()
    }
    await expect.poll(isBehind, { timeout: 30_000 }).toBe(false)
  }
  expect(listener.faults).toEqual([])
  expect(listener.missed()).toBe(0)
}, 300_000)
