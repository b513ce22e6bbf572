import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rootPrice, tokens } from '../../test/support/domain/sample-market.ts'
import { createFakeChain } from '../../test/support/indexer/fake-chain.ts'
import { createMarket, one } from '../../test/support/indexer/market.ts'
import {
  freezeTime,
  passSeconds,
  startTestIndexer,
  type TestIndexer,
} from '../../test/support/indexer/run.ts'
import { dumpStore, openStore, sourceOf } from '../../test/support/indexer/stored.ts'
import type { Store } from '../ports/store.ts'

const { apple, weth, usdg, tesla, meme } = tokens
const startTs = 1_800_000_000
const lifeSeconds = 40

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** A market in which something happens every second; the same every time. */
const createLife = () => {
  const chain = createFakeChain()
  const market = createMarket(chain)
  market.publishEth(2500)
  market.mine()
  const base = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 10n))
  base.mint(-60_000, 60_000, 100_000n * one)
  const trusted = market.open('v4', { token0: usdg, token1: weth }, rootPrice(20_000n))
  trusted.mint(180_000, 240_000, one)
  // The pools must be an hour old to price the memes' swaps.
  market.mine()
  market.mine(3600)
  const memes = market.open('v4', { token0: apple, token1: meme }, rootPrice(1n))
  memes.mint(-6000, 6000, one)
  market.mine()
  const acts: Readonly<Record<number, () => void>> = {
    3: () => base.swapTo(rootPrice(11n, 100n)),
    4: () => memes.swapTo(rootPrice(101n, 100n)),
    7: () => market.publishEth(2600),
    8: () => trusted.swapTo(rootPrice(20_100n)),
    9: () => base.burn(-60_000, 60_000, 40n * one),
    12: () => market.open('v3', { token0: apple, token1: tesla }, rootPrice(1n)).mint(-60, 60, one),
    13: () => memes.swapTo(rootPrice(99n, 100n)),
    16: () => memes.burn(-6000, 6000, one),
    18: () => base.swapTo(rootPrice(12n, 100n)),
    21: () => base.mint(-120, 60_000, 3n * one),
    24: () => base.swapTo(rootPrice(9n, 100n)),
    25: () => market.publishEth(2550),
    30: () => base.swapTo(rootPrice(10n, 100n)),
  }
  return {
    chain,
    /** One second of it, as the chain and as the clocks count. */
    live: async (second: number): Promise<void> => {
      acts[second]?.()
      market.mine()
      await passSeconds(1)
    },
  }
}

/** What happens to the indexer, and to its store, before a second of its life. */
type Trouble = (second: number, hands: { restart: () => Promise<void> }) => Promise<void> | void

/** Runs through all interruptions with one file and returns its contents at the end. */
const outcomeOf = async (
  name: string,
  trouble: Trouble,
  wrap: (store: Store) => Store = (store) => store,
) => {
  freezeTime(startTs + 3600)
  const path = join(folder, `${name}.db`)
  const { chain, live } = createLife()
  let store = openStore(path)
  let run = await startTestIndexer({ chain, store: wrap(store) })
  const runs: TestIndexer[] = [run]
  const restart = async (): Promise<void> => {
    await run.stop()
    await store.close()
    store = openStore(path)
    run = await startTestIndexer({ chain, store: wrap(store) })
    runs.push(run)
  }
  for (let second = 0; second < lifeSeconds; second++) {
    await trouble(second, { restart })
    await live(second)
  }
  await passSeconds(20)
  await run.stop()
  const swaps = await sourceOf(store, 'swaps')
  await store.close()
  vi.useRealTimers()
  return { rows: dumpStore(path), runs, swaps }
}

const undisturbed = () => outcomeOf('undisturbed', () => {})

describe('what is stored at the end', () => {
  it('is something of everything, without trouble', async () => {
    const { rows, runs } = await undisturbed()
    const counts = rows.map((table) => (table === '' ? 0 : table.split('\n').length))
    expect(counts).toEqual([4, 7, 7, 7, 16, 10, 6, 2, 7, 1])
    expect(runs[0]?.journal.of('error')).toEqual([])
    // Every swap has a price of its own time: estimated, implausible, tx_index, trader.
    expect(rows[2]?.split('\n').every((row) => / 0 0 \d+ {2}\d* \d*$/.test(row))).toBe(true)
  })

  it.each([
    ['after a restart early on', [2]],
    ['after a restart in the middle', [14]],
    ['after a restart right after a swap', [19]],
    ['after a restart every third second', Array.from({ length: 13 }, (_, index) => index * 3)],
  ])('is the same %s', async (_, seconds) => {
    const expected = await undisturbed()
    const { rows, runs } = await outcomeOf('restarted', (second, { restart }) =>
      seconds.includes(second) ? restart() : undefined,
    )
    expect(rows).toEqual(expected.rows)
    expect(runs).toHaveLength(1 + seconds.length)
  })

  it('is the same when commits fail before anything was written', async () => {
    const expected = await undisturbed()
    let commits = 0
    const { rows, runs, swaps } = await outcomeOf(
      'failing',
      () => {},
      (store) => ({
        ...store,
        commitRange: async (batch) => {
          commits += 1
          if (commits % 3 === 1) throw new Error('the disk is full')
          return store.commitRange(batch)
        },
      }),
    )
    expect(rows).toEqual(expected.rows)
    expect(runs[0]?.journal.count('Unexpected error in the realtime loop')).toBeGreaterThan(2)
    expect(swaps).toMatchObject({ failures: 0 })
  })

  it('is the same when commits succeed and their answer is lost', async () => {
    const expected = await undisturbed()
    let commits = 0
    const { rows } = await outcomeOf(
      'losing',
      () => {},
      (store) => ({
        ...store,
        commitRange: async (batch) => {
          commits += 1
          const outcome = await store.commitRange(batch)
          if (commits % 4 === 2) throw new Error('the connection is gone')
          return outcome
        },
      }),
    )
    expect(rows).toEqual(expected.rows)
  })

  it('is the same when another indexer writes to the same file', async () => {
    const expected = await undisturbed()
    freezeTime(startTs)
    const path = join(folder, 'shared.db')
    const { chain, live } = createLife()
    const stores = [openStore(path), openStore(path)]
    const runs = await Promise.all(
      stores.map((store, index) => startTestIndexer({ chain, store, pollMs: 500 + index * 1800 })),
    )
    for (let second = 0; second < lifeSeconds; second++) await live(second)
    await passSeconds(20)
    for (const run of runs) await run.stop()
    for (const store of stores) await store.close()
    vi.useRealTimers()
    expect(dumpStore(path)).toEqual(expected.rows)
    const counts = runs.map((run) =>
      run.journal.count('Cursor was moved by another writer, reloading the index'),
    )
    expect(Math.max(...counts)).toBeGreaterThan(0)
    expect(runs.flatMap((run) => run.journal.of('error'))).toEqual([])
  })
})
