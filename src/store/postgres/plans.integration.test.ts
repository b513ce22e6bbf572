import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../../test/setup/postgres.ts'
import { day } from '../../../test/store-contract/fixtures.ts'
import { opened } from '../../../test/support/store/benches.ts'
import {
  bootstrapQueries,
  branchQueries,
  liquidityAfterQuery,
  pruneQueries,
  queries,
  removalQueries,
} from '../shared/queries.ts'
import { numberParameters } from './parameters.ts'
import { createPostgresStore } from './postgres-store.ts'

/*
 * Eight days of 200 pools, 40,000 swaps: no question reads a large table from end to end, and one
 * about the last hours touches no earlier day.
 */

const days = 8
const swapCount = 40_000
const secondsEach = (days * 86_400) / swapCount
const end = day + days * 86_400

const server = await startPostgres()
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.end()
  await server.dispose()
})

const partitionsOf = (table: string, shape: string): string =>
  Array.from({ length: days }, (_, at) => {
    const number = day / 86_400 + at
    const name = `${table}_day_${number}`
    return `CREATE TABLE ${name} (LIKE ${shape} INCLUDING ALL);
      ALTER TABLE ${table} ATTACH PARTITION ${name}
      FOR VALUES FROM (${number * 86_400}) TO (${(number + 1) * 86_400});`
  }).join('\n')

const b = "'\\x00'::bytea"
const rows = `generate_series(0, ${swapCount - 1}) AS n`
const ts = `${day} + n * ${secondsEach}`

const fillText = `
  INSERT INTO swaps (pool, log_index, block, ts, tick, estimated, tx_hash, amount0, amount1,
      sqrt_price_x96, liquidity, sender)
    SELECT n % 200, n % 3, n, (${ts})::bigint, 0, 0, ${b}, ${b}, ${b}, ${b}, ${b}, ${b}
    FROM ${rows};
  INSERT INTO blocks SELECT n, ${b}, (${ts})::bigint FROM ${rows};
  INSERT INTO candles SELECT n % 200, 60, floor((${ts}) / 60)::bigint * 60, 1, 1, 1, 1, 0, 0, 0, 0
    FROM ${rows} ON CONFLICT DO NOTHING;
  INSERT INTO candles SELECT n % 200, 3600, floor((${ts}) / 3600)::bigint * 3600,
    1, 1, 1, 1, 0, 0, 0, 0
    FROM ${rows} ON CONFLICT DO NOTHING;
  INSERT INTO reference_points
    SELECT decode(lpad(to_hex(n % 50), 40, '0'), 'hex'), 60,
      floor((${ts}) / 60)::bigint * 60, 1, 'file', 2
    FROM ${rows} ON CONFLICT DO NOTHING;
  INSERT INTO liquidity_changes
    SELECT n % 200, n, 0, (${ts})::bigint, ${b}, 0, 1, ${b} FROM ${rows} WHERE n % 4 = 0;
  INSERT INTO ticks SELECT n % 200, n, ${b}, ${b} FROM ${rows} WHERE n % 4 = 0;
  INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing, created_block,
      created_ts, liquidity, revision)
    SELECT n, decode(lpad(to_hex(n), 40, '0'), 'hex'), 'v3', ${b}, ${b}, ${b}, 1, 1, n, ${day},
      ${b}, n
    FROM generate_series(1, 10000) AS n;
  ANALYZE;`

const open = async (layout: 'in-days' | 'in-one'): Promise<Client> => {
  const url = await server.createDatabase()
  await opened(await createPostgresStore({ url, leaseGeneration: null, layout })).close()
  const client = new Client({ connectionString: url })
  clients.push(client)
  await client.connect()
  if (layout === 'in-days') {
    await client.query(partitionsOf('swaps', 'swaps_shape'))
    await client.query(partitionsOf('candles_minutes', 'candles_minutes'))
    await client.query(partitionsOf('reference_points_minutes', 'reference_points_minutes'))
  }
  await client.query(fillText)
  return client
}

const lately = end - 3_600
const lastBlock = swapCount - 100
const address = Buffer.alloc(20)
const span = [lately, end]
const search = [100, 100, ',7,', 1, null, null, 10]

type Asked = readonly [name: string, sql: string, values: readonly unknown[]]

const hot: readonly Asked[] = [
  ['pools', queries.poolsChangedAfter, [9_990]],
  ['tokens', queries.tokensChangedAfter, [9]],
  ['stocks', queries.stocksChangedAfter, [9]],
  ['volume', queries.volume, [...span, lastBlock]],
  ['volume of a pool', queries.volumeOfPool, [7, ...span, ...span, lastBlock]],
  ['volume of minutes', queries.minuteVolume, [7, ...span]],
  ['candles', queries.candles, [7, 60, 7, 60, lately, ...span]],
  ['hours', queries.candles, [7, 3600, 7, 3600, lately, ...span]],
  ['candle before', queries.candleBefore, [7, 60, lately]],
  ['traded candles', queries.tradedCandles, [7, 60, ...span, 100]],
  ['newest traded candles', queries.newestTradedCandles, [7, 3600, ...span, 100]],
  ['trades', queries.trades, ['[7, 8]', 0, ...span, ...span]],
  ['traded sums', queries.tradedSums, ['[7, 8]', 60, ...span, 100]],
  ['newest traded sums', queries.newestTradedSums, ['[7, 8]', 3600, ...span, 100]],
  ['first minutes', queries.firstMinutes, ['[7, 8]', end]],
  ['hours until the minutes', queries.hoursUntil, ['[7, 8]', end, end]],
  ['traded amounts', queries.tradedAmounts, [60, 0, 7, ...span, ...span, 100]],
  ['swaps', queries.swaps, [7, lately, lately, lastBlock, 100]],
  ['changes of a pool after a place', queries.liquidityChanges, [7, lastBlock, 0, 100]],
  ['time of a block', queries.timedBlock, [lastBlock]],
  ['time after a block', queries.timedBlockAfter, [lastBlock]],
  ['change up to a block', queries.timedChange, [lastBlock]],
  ['change after a block', queries.timedChangeAfter, [lastBlock]],
  ['swap up to a block', queries.timedSwap, [...span, lastBlock]],
  ['block until a time', queries.blockUntil, [lastBlock, swapCount, end]],
  ['change until a time', queries.changeUntil, [lastBlock, swapCount, end]],
  ['page of changes', queries.liquidityPage, [7, 100, 1, swapCount, -1, 0, end, 100]],
  ['newest page of changes', queries.newestLiquidityPage, [7, 100, 1, swapCount, -1, 0, end, 100]],
  ['changes of blocks', queries.liquidityOfBlocks, [lastBlock, swapCount, 100]],
  ['ticks of pools', queries.ticksOfEach, ['[7, 8]']],
  ['changes of pools', queries.changesOfEach, ['[7, 8]', lastBlock, 100]],
  ['first swaps of pools', queries.firstSwapOfEach, ['[7, 8]', lastBlock]],
  ['swap without a trader', queries.firstWithoutTrader, [lately, lately, swapCount]],
  ['token', queries.token, [address]],
  ['oldest swap', queries.oldestSwap, []],
  ['page of swaps', queries.swapPage, [lastBlock, 1, swapCount, -1, ...span, 100]],
  ['newest page of swaps', queries.newestSwapPage, [lastBlock, 1, swapCount, -1, ...span, 100]],
  ['page of a pool', queries.poolSwapPage, [7, 100, 1, swapCount, -1, 0, end, 100]],
  ['newest page of a pool', queries.newestPoolSwapPage, [7, 100, 1, swapCount, -1, 0, end, 100]],
  ['search in a pool', queries.poolSwapSearch, [7, 100, 1, swapCount, -1, 0, end, ...search]],
  [
    'newest search in a pool',
    queries.newestPoolSwapSearch,
    [7, 100, 1, swapCount, -1, 0, end, ...search],
  ],
  ['search', queries.swapSearch, [lastBlock, 1, swapCount, -1, ...span, ...search]],
  ['newest search', queries.newestSwapSearch, [lastBlock, 1, swapCount, -1, ...span, ...search]],
  ['block before a time', queries.swapBlockBefore, [lately]],
  ['block behind a time', queries.swapBlockBehind, [lately]],
  ['changed pools', queries.changedPools, [lastBlock, swapCount, 100]],
  ['created pools', queries.createdPools, [9_990, 10_000, 100]],
  ['block', queries.block, [lastBlock]],
  ['references', queries.references, [address, 60, address, 60, lately, ...span]],
  ['reference before', queries.referenceBefore, [address, 60, lately]],
  ['pools between', queries.poolsBetween, [7, 107]],
  ['pools by id', queries.poolsById, [address, address]],
  ['ticks of a pool', queries.ticksOfPool, [7]],
  ['tokens of pools', queries.tokensOfPools, [7, 107, 7, 107]],
  ['token page', queries.tokenPage, [address, 100]],
  ['pool page', queries.poolPage, [7, 100]],
  ['ticks', queries.tickPage, [7, 9, 100]],
  ['kept changes', liquidityAfterQuery, [lastBlock]],
  ['block at or below', branchQueries.blockAtOrBelow, [lastBlock]],
  ['block at or above', branchQueries.blockAtOrAbove, [lastBlock]],
  ['blocks of a range', branchQueries.blocks, [lastBlock, swapCount]],
  ['pools of a range', branchQueries.pools, [9_990, 10_000]],
  ['swaps of a range', branchQueries.swaps, [lately, end, lastBlock, swapCount]],
  ['liquidity of a range', branchQueries.liquidity, [lastBlock, swapCount]],
  ['changed by candle', branchQueries.changedCandles, [lately]],
  ['changed by liquidity', branchQueries.changedLiquidity, [lastBlock]],
  ['last swap', branchQueries.lastSwap, [7, lastBlock]],
  ['changes of a pool', branchQueries.changes, [7]],
  ['left swaps', removalQueries.swaps, [lately, lastBlock]],
  ['left liquidity', removalQueries.liquidity, [lastBlock]],
  ['left blocks', removalQueries.blocks, [lastBlock]],
  ['left candles', removalQueries.candles, [7, 60, lately]],
  ['left pools', removalQueries.pools, [9_999]],
]

/** Small tables, what looks at every pool once, and what is asked once in a while in pieces. */
const others = [
  queries.quotes,
  queries.reserves,
  queries.sources,
  queries.searched,
  queries.replacementsAfter,
  queries.hourlyVolume,
  bootstrapQueries.state,
  bootstrapQueries.tickMapCursors,
  removalQueries.replacements,
  removalQueries.createdTicks,
  removalQueries.createdCandles,
  removalQueries.createdReserves,
  ...Object.values(pruneQueries),
]

const planOf = async (client: Client, sql: string, values: readonly unknown[]) => {
  const answer = await client.query({
    text: `EXPLAIN (COSTS OFF) ${numberParameters(sql)}`,
    values: [...values],
  })
  return answer.rows.map((row) => String(row['QUERY PLAN']))
}

const small = /tokens|stocks|header/

describe.each(['in-days', 'in-one'] as const)('%s', (layout) => {
  let client: Client
  beforeAll(async () => {
    client = await open(layout)
  })

  test.each(hot)('%s are found by index', async (_, sql, values) => {
    const plan = await planOf(client, sql, values)
    const scans = plan.filter((line) => line.includes('Seq Scan') && !small.test(line))
    expect(scans, plan.join('\n')).toEqual([])
  })
})

test('the last hours are looked for in the last day alone', async () => {
  const [client] = clients as [Client]
  const asked = hot.filter(([name]) =>
    ['volume', 'volume of minutes', 'swaps of a range'].includes(name),
  )
  for (const [, sql, values] of asked) {
    const plan = (await planOf(client, sql, values)).join('\n')
    const touched = new Set(plan.match(/_day_\d+/g))
    expect([...touched], plan).toEqual([`_day_${end / 86_400 - 1}`])
  }
})

test('no query is left out', () => {
  const planned = [...new Set(hot.map(([, sql]) => sql)), ...others].toSorted()
  const all = [
    ...Object.values(queries),
    ...Object.values(bootstrapQueries),
    liquidityAfterQuery,
    ...Object.values(branchQueries),
    ...Object.values(removalQueries),
    ...Object.values(pruneQueries),
  ]
  expect(planned).toEqual(all.toSorted())
})
