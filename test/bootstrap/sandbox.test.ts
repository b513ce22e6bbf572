import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedSandbox, openSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { isDynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { Store } from '../../src/ports/store.ts'
import type { StoredPool } from '../../src/ports/store-batches.ts'
import { indexSandbox } from '../support/indexer/index-sandbox.ts'
import { openMemoryStore, rowsOf, ticksOf } from '../support/indexer/sample-world.ts'

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
  const store = openMemoryStore()
  const stop = await indexSandbox(sandbox, store, { bootstrapBlocksMin })
  await expect.poll(() => isComplete(store)).toBe(true)
  await stop()
  return store
}

/** A bootstrap reads fees at its last block; events show them at theirs, and no dynamic fee. */
const feesOf = ({ key, fees }: StoredPool) =>
  fees === null || isDynamicFee(key.fee)
    ? null
    : { lpFee: fees.lpFee, protocolFee: fees.protocolFee }

/** Estimated dollars are of the present quote, which moves while the market is open. */
const withoutEstimate = <Row extends { readonly estimated: boolean | number }>(row: Row): Row =>
  row.estimated ? { ...row, usdMicro: null } : row

/**
 * The first swap of a backfilled range takes the price before it from the tick map, to rounding:
 * yields agree to a millionth (docs/methodology.md §14).
 */
const yieldDigits = 6
const withRoundYield = <Row extends { readonly feeYield: number | null }>(row: Row) => ({
  ...row,
  feeYield: row.feeYield === null ? null : row.feeYield.toPrecision(yieldDigits),
})

const comparable = async (store: Store) => {
  const { pools, swaps, candles } = await rowsOf(store)
  return {
    pools: pools.map((pool) => ({ ...pool, lastHotTs: null, fees: feesOf(pool) })),
    ticks: await ticksOf(store),
    swaps: swaps.map(withoutEstimate).map(withRoundYield),
    candles: candles
      .filter((candle) => candle.swaps > 0)
      .map(withoutEstimate)
      .map(withRoundYield),
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
