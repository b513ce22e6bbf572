import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { Running } from '../setup/processes.ts'
import { type Api, eventually } from './api.ts'
import { clientOf, launch, stop, writeNetworkFile } from './launch.ts'
import { openService } from './numbers/moment.ts'
import type { StoredSwap } from './numbers/stored.ts'
import {
  countedAt,
  daySeconds,
  hourSeconds,
  swapsByPool,
  type Volume,
  volumeOf,
} from './numbers/volume.ts'
import { sandboxDir } from './shared.ts'

/*
 * A copy of the running service's store is set to other moments, as if the index stood there, and
 * served by a process of its own: the windows must be those of a recount of the raw swaps, at each
 * edge and one second before it (docs/methodology.md §5).
 *
 *     swap                  swap + 1 h                        swap + 24 h
 *   ---o------- ... -------------|------------- ... ---------------|---->
 *      in both windows           out of the hour                   out of the day
 */

const service = openService()
const directory = mkdtempSync(join(tmpdir(), 'stockpools-windows-'))
const copy = join(directory, 'copy.db')

let running: Running
let api: Api
let db: DatabaseSync
let swaps: readonly StoredSwap[] = []

beforeAll(async () => {
  const path = join(sandboxDir, '../sandbox.db')
  const original = new DatabaseSync(path, { readOnly: true, timeout: 60_000 })
  original.exec(`VACUUM INTO '${copy}'`)
  original.close()
  db = new DatabaseSync(copy, { timeout: 60_000 })
  // The copy's own head: its candles hold the swaps up to there.
  const head = Number(db.prepare('SELECT indexed_block AS block FROM header').get()?.block)
  const args = ['--network', writeNetworkFile(directory, sandboxDir), '--store', `sqlite:${copy}`]
  running = launch(['api', ...args, '--port', '0', '--rate-limit', '0'], { directory })
  db.exec(`CREATE TEMP TABLE all_swaps AS SELECT * FROM swaps WHERE block <= ${head}`)
  api = await clientOf(running)
  // Pools that only price other tokens are kept too, and not listed: no row contains their swaps.
  const listed = new Set((await api.readAll<PoolView>('/api/v1/pools')).map((row) => row.id))
  swaps = service.stored.swaps(head).filter(({ pool }) => listed.has(pool))
})

afterAll(async () => {
  service.stored.close()
  db?.close()
  if (running !== undefined) await stop(running)
  rmSync(directory, { recursive: true, force: true })
})

/** Each moment is a block of its own, so that its replies are known. */
let block = 1_000_000

const readPoolsAt = async (ts: number): Promise<readonly PoolView[]> => {
  block += 1
  db.exec(`BEGIN IMMEDIATE;
    DELETE FROM swaps;
    INSERT INTO swaps SELECT * FROM all_swaps WHERE ts <= ${ts};
    UPDATE header SET indexed_ts = ${ts}, indexed_block = ${block},
      revision = revision + 1, epoch = epoch + 1;
    COMMIT`)
  return eventually(
    () => api.readAll<PoolView>('/api/v1/pools'),
    (rows) => rows.every((row) => row.asOfBlock === block),
  )
}

/**
 * The swaps whose absence shows: the hour has dollars only, so it shows neither a swap worth
 * nothing nor one of a pool that has an unpriced swap.
 */
const notableSwaps = (): readonly StoredSwap[] => {
  const unpriced = new Set(swaps.filter((swap) => swap.usdMicro === null).map((swap) => swap.pool))
  return swaps.filter(({ usdMicro, pool }) => (usdMicro ?? 0) > 0 && !unpriced.has(pool))
}

const atOf = (share: number): StoredSwap => {
  const some = notableSwaps()
  return some[Math.floor((some.length - 1) * share)] as StoredSwap
}

/** Each edge by the swap that stands at it: a second sooner the numbers are others. */
const edges: readonly (readonly [string, () => number])[] = [
  ['the first swap is a day old', () => atOf(0).ts + daySeconds],
  ['the last swap is an hour old', () => atOf(1).ts + hourSeconds],
  ['the last swap happens', () => atOf(1).ts],
  ['one in the middle is an hour old', () => atOf(0.5).ts + hourSeconds],
  ['the one in the middle happens', () => atOf(0.5).ts],
  ['the first swap happens', () => atOf(0).ts],
]

const countedByPoolAt = async (ts: number): Promise<readonly Volume[]> => {
  const byPool = swapsByPool(swaps.filter((swap) => swap.ts <= ts))
  const rows = await readPoolsAt(ts)
  for (const row of rows) {
    expect(volumeOf(row), row.id).toEqual(countedAt(byPool.get(row.id) ?? [], ts))
  }
  return rows.map(volumeOf)
}

describe('the volumes of all pools when', () => {
  test.each(edges)('%s', async (_, edgeOf) => {
    const after = await countedByPoolAt(edgeOf())
    const before = await countedByPoolAt(edgeOf() - 1)
    expect(after).not.toEqual(before)
  })
})
