import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedSandbox, openSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { systemClock } from '../../src/cli/clock.ts'
import { createAdapters } from '../../src/cli/compose/adapters.ts'
import { toIndexedNetwork } from '../../src/cli/compose/network.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { policyDefault } from '../../src/domain/status/freshness.ts'
import { startIndexer } from '../../src/indexer/index.ts'
import type { Store } from '../../src/ports/store.ts'
import { openMemoryStore, rowsOf, ticksOf } from '../support/indexer/sample-world.ts'

const say = (): void => {}
const logger = { debug: say, info: say, warn: say, error: say }

const dataDir = mkdtempSync(join(tmpdir(), 'stockpools-bootstrap-'))
let sandbox: OpenedSandbox

beforeAll(async () => {
  sandbox = await openSandbox({ dataDir, settings: { traders: false } })
})

afterAll(() => removeSandbox(sandbox, dataDir))

const isComplete = async (store: Store): Promise<boolean> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  if (header === null || header.cursor === null) return false
  const { backfillCursor, progress } = header
  return (
    progress.phase === 'done' &&
    (backfillCursor === null || backfillCursor.completeAfter.block < backfillCursor.firstBlock)
  )
}

const readSandbox = async (bootstrapBlocksMin: number): Promise<Store> => {
  const text = readFileSync(sandbox.networkFile, 'utf8')
  const config = resolveConfig({ role: 'index', args: [], environment: {} }, text)
  if (!config.ok) throw new Error(config.fault)
  const stopping = new AbortController()
  const store = openMemoryStore()
  const indexer = await startIndexer({
    ...createAdapters(config.value, { logger, signal: stopping.signal }),
    store,
    logger,
    network: toIndexedNetwork(config.value),
    clock: systemClock,
    keccak256: (bytes) => keccak256(bytes),
    sha256: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
    policy: { ...policyDefault, confirmations: config.value.confirmations },
    historyDays: 30,
    bootstrapBlocksMin,
    pollMs: 200,
    onProgress: say,
    onRefused: (reason) => {
      throw new Error(reason)
    },
  })
  await expect.poll(() => isComplete(store)).toBe(true)
  stopping.abort()
  await indexer.stop()
  return store
}

const comparable = async (store: Store) => {
  const { pools, swaps, candles } = await rowsOf(store)
  return {
    pools: pools.map(({ lastHotTs: _, ...pool }) => pool),
    ticks: await ticksOf(store),
    swaps,
    candles: candles.filter((candle) => candle.swaps > 0),
  }
}

// Maps from events, states from the contracts and swaps from the newest back make the same rows
// as a fold of everything from the first block on.
test('on a real EVM the bootstrap of a long chain equals reading every block', async () => {
  const simple = await comparable(await readSandbox(1_000_000_000))
  const long = await comparable(await readSandbox(10))
  expect(simple.swaps.length).toBeGreaterThan(1000)
  expect(long).toEqual(simple)
})
