import { mkdtempSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import type { StatusView } from '../../src/domain/views/service.ts'
import type { Running } from '../setup/processes.ts'
import { type Api, eventually, sleep } from './api.ts'
import { clientOf, kill, launch, stop, untilPrinted, writeNetworkFile } from './launch.ts'
import { createChain, readManifest } from './numbers/chain.ts'
import { type ChainEvent, createEventLog, type Place, type Swapped } from './numbers/events.ts'
import { replayAll, tickRowsOf } from './numbers/replay.ts'
import { openStored, type StoredState, type StoredSwap } from './numbers/stored.ts'
import { sandboxDir } from './shared.ts'

/*
 * A service beside the running one, on the same chain, is killed again and again: now at some
 * moment, now while it writes. The next start always resumes from the last commit:
 *
 *   chain   ── blocks ──────────────────────────────────────────►
 *   index   ──────┤ ✗ ├─────┤ ✗ ├──┤ ✗ ├────── ... ───────┤ stop
 *
 * Afterwards the store must hold what the chain's own logs say, each log once.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-restart-'))
const network = writeNetworkFile(directory, sandboxDir)
const common = ['--network', network, '--store', 'sqlite:./sandbox.db']
const serving = ['--port', '0', '--rate-limit', '0']
// A commit per block, so that kills meet many of them.
const start = () => launch(['start', ...common, ...serving, '--poll-ms', '50'], { directory })

const manifest = readManifest(sandboxDir)
const blocksPerRead = 1000
const book = createEventLog(createChain(manifest), manifest)

/** In pieces: an hour of logs in one answer would be more than the client takes. */
const readEvents = async (to: number): Promise<readonly ChainEvent[]> => {
  for (let block = blocksPerRead; block < to; block += blocksPerRead) await book.upTo(block)
  return book.upTo(to)
}

let running: Running
let api: Api
let state: StoredState
let swaps: readonly StoredSwap[]
let events: readonly ChainEvent[]

/** Settles when the store's log has been written to so many times, or after a while. */
const untilWritten = (times: number): Promise<void> =>
  new Promise((resolve) => {
    let count = 0
    const end = (): void => {
      clearTimeout(timer)
      watcher.close()
      resolve()
    }
    const watcher = watch(directory, (_change, name) => {
      if (name !== 'sandbox.db-wal') return
      count += 1
      if (count >= times) end()
    })
    const timer = setTimeout(end, 10_000)
  })

const between = (low: number, high: number): number => low + Math.random() * (high - low)

const following = (victim: Running) => untilPrinted(victim, /Following the chain/)

/** When it is killed: in the making of the store, in the first long read, in following. */
const moments: readonly ((victim: Running) => Promise<unknown>)[] = [
  () => untilWritten(between(1, 5)),
  () => untilWritten(between(5, 100)),
  (victim) => following(victim),
  (victim) => following(victim).then(() => sleep(between(100, 2000))),
  (victim) => following(victim).then(() => untilWritten(between(1, 30))),
]

beforeAll(async () => {
  for (const moment of moments) {
    const victim = start()
    await moment(victim)
    await kill(victim)
  }
  running = start()
  api = await clientOf(running)
  // Some seconds more of following, that a store gone wrong would not survive.
  const first = await eventually(
    () => api.read<StatusView>('/api/v1/status'),
    ({ sources }) => sources.slice(1, 3).every((row) => row.state === 'ok'),
  )
  await eventually(
    () => api.read<StatusView>('/api/v1/status'),
    ({ chain, sources }) =>
      (chain.indexedBlock ?? 0) > (first.chain.indexedBlock ?? 0) + 8 &&
      sources.every(({ lastError }) => lastError === null),
  )
  expect(await stop(running)).toBe(0)
  const stored = openStored(join(directory, 'sandbox'))
  state = stored.state()
  swaps = stored.swaps(state.block)
  stored.close()
  const all = await readEvents(state.block)
  events = all.filter((event) => event.kind !== 'answered' && state.pools.has(event.pool))
  running = launch(['api', ...common, ...serving], { directory })
  api = await clientOf(running)
})

afterAll(async () => {
  if (running !== undefined) await kill(running)
  rmSync(directory, { recursive: true, force: true })
})

const isSwap = (event: ChainEvent): event is Place & Swapped => event.kind === 'swapped'
const swapEvents = (): readonly (Place & Swapped)[] => events.filter(isSwap)

describe('the store', () => {
  test('contains exactly the indexed pools', async () => {
    const block = state.block
    const created = await book.upTo(block)
    const known = new Set(created.flatMap((event) => (event.kind === 'created' ? event.pool : [])))
    const ours = manifest.pools.filter((pool) => pool.kind !== 'none' && known.has(pool.id))
    expect([...state.pools.keys()].toSorted()).toEqual(
      expect.arrayContaining(ours.map((pool) => pool.id).toSorted()),
    )
    const strangers = manifest.pools.filter((pool) => pool.kind === 'none').map((pool) => pool.id)
    expect(strangers.filter((id) => state.pools.has(id))).toEqual([])
  })

  test('contains every swap of the chain once, to the last digit', () => {
    const stored = swaps.map(({ usdMicro: _, estimated: __, implausible: ___, ...swap }) => swap)
    const logged = swapEvents().map(({ kind: _, ...swap }) => swap)
    expect(stored).toEqual(logged)
    expect(stored.length).toBeGreaterThan(3000)
    expect(new Set(stored.map((swap) => `${swap.txHash}:${swap.logIndex}`)).size).toBe(
      stored.length,
    )
  })

  test('has pool states and tick maps that match the logs', () => {
    const replayed = replayAll(events)
    expect([...replayed.keys()].toSorted()).toEqual([...state.pools.keys()].toSorted())
    for (const [id, pool] of replayed) {
      const { sqrtPriceX96, tick, mapFault } = state.pools.get(id) ?? {}
      expect([id, sqrtPriceX96, mapFault]).toEqual([id, pool.sqrtPriceX96, null])
      if (sqrtPriceX96 !== null) expect(tick).toBe(pool.tick)
      expect([id, state.ticks.get(id)]).toEqual([id, tickRowsOf(pool)])
    }
  })

  test.each([60, 3600, 86_400])('has candles of %i s that match its swaps', (width) => {
    const candles = readCandles(width)
    const counted = recount(width)
    expect([...candles.keys()].toSorted()).toEqual([...counted.keys()].toSorted())
    for (const [key, candle] of candles) {
      const expected = counted.get(key)
      const { prices: _, ...sums } = candle
      const { prices: __, ...expectedSums } = expected as Candle
      expect([key, sums]).toEqual([key, expectedSums])
      for (const [index, price] of candle.prices.entries()) {
        expect(price / (expected?.prices[index] ?? 0)).toBeCloseTo(1, 9)
      }
    }
  })
})

type Candle = {
  readonly swaps: number
  readonly usdMicro: number
  readonly unpriced: number
  readonly estimated: number
  readonly implausible: number
  /** Open, high, low and close; raw token1 for a raw token0. */
  readonly prices: readonly number[]
}

/** By pool number and start; those with a swap. */
const readCandles = (width: number): ReadonlyMap<string, Candle> => {
  const db = new DatabaseSync(join(directory, 'sandbox.db'), { readOnly: true })
  const rows = db.prepare('SELECT * FROM candles WHERE width = ? AND swaps > 0').all(width)
  db.close()
  return new Map(
    rows.map(({ pool, ts, swaps, usd_micro, unpriced, estimated, implausible, ...row }) => [
      `${pool}:${ts}`,
      {
        swaps: Number(swaps),
        usdMicro: Number(usd_micro),
        unpriced: Number(unpriced),
        estimated: Number(estimated),
        implausible: Number(implausible),
        prices: [row.open, row.high, row.low, row.close].map(Number),
      },
    ]),
  )
}

const recount = (width: number): ReadonlyMap<string, Candle> => {
  const byBucket = Map.groupBy(swaps, (swap) => {
    const number = state.pools.get(swap.pool)?.number
    return `${number}:${Math.floor(swap.ts / width) * width}`
  })
  const candleOf = (own: readonly StoredSwap[]): Candle => {
    const prices = own.map((swap) => (Number(swap.sqrtPriceX96) / 2 ** 96) ** 2)
    return {
      swaps: own.length,
      usdMicro: own.reduce((sum, swap) => sum + (swap.usdMicro ?? 0), 0),
      unpriced: own.filter((swap) => swap.usdMicro === null).length,
      estimated: own.filter((swap) => swap.estimated).length,
      implausible: own.filter((swap) => swap.implausible).length,
      prices: [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)].map(Number),
    }
  }
  return new Map([...byBucket].map(([key, own]) => [key, candleOf(own)]))
}

const ofPool = (id: string): readonly StoredSwap[] => swaps.filter((swap) => swap.pool === id)

describe('the API over it', () => {
  test('reports no error after an orderly stop', async () => {
    const { sources } = await api.read<StatusView>('/api/v1/status')
    expect(sources.map((row) => row.lastError)).toEqual([null, null, null, null])
  })

  test('counts and sums the swaps of a day and of an hour', async () => {
    const rows = await api.readAll<PoolView>('/api/v1/pools')
    const within = (row: PoolView, seconds: number) =>
      ofPool(row.id).filter((swap) => swap.ts > state.ts - seconds)
    const usdOf = (own: readonly StoredSwap[]): number | null =>
      own.some((swap) => swap.usdMicro === null)
        ? null
        : own.reduce((sum, swap) => sum + (swap.usdMicro ?? 0), 0) / 1e6
    for (const row of rows) {
      const [hour, day] = [within(row, 3600), within(row, 86_400)]
      expect([row.id, row.asOfBlock, row.swaps24h]).toEqual([row.id, state.block, day.length])
      expect([row.vol1hUsd, row.vol24hUsd]).toEqual([usdOf(hour), usdOf(day)])
      expect(row.estimatedSwaps24h).toBe(day.filter((swap) => swap.estimated).length)
      expect(row.lastSwapBlock).toBe(ofPool(row.id).at(-1)?.block ?? null)
    }
    expect(rows.reduce((sum, row) => sum + row.swaps24h, 0)).toBeGreaterThan(2000)
  })

  test('shows the last hundred swaps of each pool, and all of them in its series', async () => {
    for (const id of state.pools.keys()) {
      const reply = await api.ask(`/api/v1/pools/${id}?range=7d`)
      // Reference pools are followed, but not shown.
      if (reply.status === 404) continue
      const detail = JSON.parse(reply.text) as PoolDetailView
      const own = ofPool(id)
      const shown = detail.swaps.map((swap) => [swap.txHash, swap.logIndex])
      const newest = own.toReversed().slice(0, 100)
      expect(shown).toEqual(newest.map((swap) => [swap.txHash, swap.logIndex]))
      const counted = detail.series.reduce((sum, row) => sum + (row.swaps ?? 0), 0)
      expect(counted).toBe(own.length)
    }
  })
})
