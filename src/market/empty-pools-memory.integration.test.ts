import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { addressOf, keyOf, noon } from '../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  anyPool,
  marketOver,
  quotesAt,
  stocks,
  tokenOf,
} from '../../test/support/market/sample-market.ts'
import type { RangeBatch } from '../ports/store-batches.ts'
import { createSqliteReader, createSqliteStore } from '../store/sqlite/sqlite-store.ts'

/** Anybody can create pools for the price of a transaction: a million cost less than 100 MB. */
const bytesPerPoolMax = 100
const pools = Number(process.env.TEST_TIER === 'T1' ? 1_000_000 : 60_000)
const poolsPerBatch = 20_000

const directory = mkdtempSync(join(tmpdir(), 'stockpools-empty-'))
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  rmSync(directory, { recursive: true, force: true })
})

const opened = <T extends { readonly close: () => Promise<void> }>(
  outcome:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly fault: string },
): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  ends.unshift(outcome.value.close)
  return outcome.value
}

const tokenAt = (number: number) => addressOf(0xc000_0000 + number)

const batchAt = (from: number): RangeBatch => {
  const to = anchorAt(from + 1, noon)
  const numbers = Array.from({ length: poolsPerBatch }, (_, at) => from + at + 1)
  return {
    expectedCursor: from === 0 ? null : from + 1 - poolsPerBatch,
    to,
    head: to,
    progress: { phase: 'done', done: 1, total: 1 },
    blocks: [to],
    pools: numbers.map((number) => ({
      number,
      id: addressOf(0xd000_0000 + number),
      version: 'v3',
      protocol: 'uniswap-v3',
      venue: addressOf(1),
      key: keyOf({ token1: tokenAt(number) }),
      createdBlock: from + 1,
      createdTs: noon,
    })),
    states: [],
    ticks: [],
    swaps: [],
    liquidity: [],
    candles: [],
    references: [],
  }
}

const usedBytes = async (): Promise<number> => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  // Buffers are released after the collection that finds them.
  for (let times = 0; times < 3; times++) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('an empty pool costs a read model less than 100 bytes, searched or not', async () => {
  const options = { path: join(directory, 'index.db') }
  const store = opened(createSqliteStore(options))
  await store.claim({ chainId: 4663, network: 'sample', originHash: null }, noon)
  await store.recordStocks(stocks)
  await store.recordEnrichment({
    ts: noon,
    quotes: quotesAt(noon),
    references: [],
    reserves: [],
    hot: [],
  })
  for (let from = 0; from < pools; from += poolsPerBatch) {
    await store.commitRange(batchAt(from))
    const numbers = Array.from({ length: poolsPerBatch }, (_, at) => from + at + 1)
    await store.recordTokens(numbers.map((number) => tokenOf(tokenAt(number), `M${number}`)))
  }
  const { market } = marketOver(opened(createSqliteReader(options)), { emptyPoolsMax: 0 })
  const before = await usedBytes()
  await market.refresh()
  expect(market.health().pools.total).toBe(pools)
  const held = (await usedBytes()) - before
  expect(held / pools).toBeLessThan(bytesPerPoolMax)
  const found = await market.pools({ ...anyPool, q: `m${pools - 7} of` })
  expect(found.items.map(({ otherSymbol }) => otherSymbol)).toEqual([`M${pools - 7}`])
  const searched = (await usedBytes()) - before
  expect(searched / pools).toBeLessThan(bytesPerPoolMax)
  const [own, texts] = [held / pools, searched / pools].map((bytes) => bytes.toFixed(1))
  console.info(`${pools} empty pools: ${own} bytes each, ${texts} once searched`)
})
