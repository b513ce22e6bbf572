import { expect, test } from 'vitest'
import type { DayTable } from '../../ports/store-days.ts'
import { firstTsQueries } from '../shared/day-reads.ts'
import {
  bootstrapQueries,
  branchQueries,
  liquidityAfterQuery,
  removalQueries,
} from '../shared/queries.ts'
import { sqliteDayQuery } from './day-queries.ts'
import { hexQueries as queries } from './hex-queries.ts'
import { openWriter } from './open.ts'
import { sqlitePruneQueries as pruneQueries } from './swap-queries.ts'

// SQLite plans without statistics here and once chose the wrong index, so the tests fix each plan.
// A step that says SCAN reads a whole table, which is allowed only for small tables.

const key = 'PRIMARY KEY'
const ofCreation = 'SEARCH pools USING COVERING INDEX pools_by_creation (created_block>?)'
const byBlock = 'liquidity_changes_by_block'
const ofLiquidity = 'sqlite_autoindex_liquidity_changes_1'
const ofSwaps = 'swaps_by_pool'
const byTime = 'swaps_by_time'
/** Only what is found is put in order. */
const searched = (by: string): readonly string[] => [
  'CO-ROUTINE placed',
  'CO-ROUTINE (subquery-4)',
  'CO-ROUTINE searched',
  `SEARCH swaps USING ${by}`,
  'SCAN searched',
  'SCAN (subquery-4)',
  'SCAN placed',
  'USE TEMP B-TREE FOR ORDER BY',
]
const betweenPlaces = '(block,log_index)>(?,?) AND (block,log_index)<(?,?)'

const aDay = { fromTs: 86_400, toTs: 172_800, pools: [1, 2] }

const plans: readonly (readonly [string, string, readonly string[]])[] = [
  ['pools', queries.poolsChangedAfter, ['SEARCH pools USING INDEX pools_by_revision (revision>?)']],
  [
    'tokens',
    queries.tokensChangedAfter,
    ['SEARCH tokens USING INDEX tokens_by_revision (revision>?)'],
  ],
  [
    'stocks',
    queries.stocksChangedAfter,
    ['SEARCH stocks USING INDEX stocks_by_revision (revision>?)'],
  ],
  ['quotes', queries.quotes, ['SCAN quotes']],
  ['reserves', queries.reserves, ['SCAN reserves']],
  ['sources', queries.sources, ['SCAN sources']],
  ['searched', queries.searched, ['SCAN searched']],
  [
    'kept changes',
    liquidityAfterQuery,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>?)`],
  ],
  [
    'volume',
    queries.volume,
    [
      `SEARCH swaps USING ${key} (block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
      'SCALAR SUBQUERY 2',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`,
      'USE TEMP B-TREE FOR GROUP BY',
    ],
  ],
  [
    'hourly volume',
    queries.hourlyVolume,
    ['SCAN pools', `SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'volume of a pool',
    queries.volumeOfPool,
    [
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
      'SCALAR SUBQUERY 2',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`,
    ],
  ],
  [
    'candles',
    queries.candles,
    [
      `SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH earlier USING ${key} (pool=? AND width=? AND ts<?)`,
    ],
  ],
  [
    'candle before',
    queries.candleBefore,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts<?)`],
  ],
  [
    'traded candles',
    queries.tradedCandles,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'newest traded candles',
    queries.newestTradedCandles,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'trades',
    queries.trades,
    [
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
      'SCALAR SUBQUERY 2',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`,
    ],
  ],
  [
    'traded sums',
    queries.tradedSums,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'newest traded sums',
    queries.newestTradedSums,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'first minutes',
    queries.firstMinutes,
    [
      'CO-ROUTINE minutes',
      `SEARCH candles USING ${key} (pool=? AND width=? AND ts<?)`,
      'SCAN minutes',
      // Of sixty rows.
      'USE TEMP B-TREE FOR GROUP BY',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'hours until the minutes',
    queries.hoursUntil,
    [
      `SEARCH candles USING ${key} (pool=? AND width=? AND ts<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH candles USING ${key} (pool=? AND width=? AND ts<?)`,
    ],
  ],
  [
    'volume of minutes',
    queries.minuteVolume,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'traded amounts',
    queries.tradedAmounts,
    [
      'CO-ROUTINE traded',
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
      'SCALAR SUBQUERY 2',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`,
      'SCAN traded',
      // Of a bounded number of rows, which SQLite does not know to be in the order of time.
      'USE TEMP B-TREE FOR GROUP BY',
    ],
  ],
  [
    'swaps',
    queries.swaps,
    [
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
    ],
  ],
  [
    'changes of a pool after a place',
    queries.liquidityChanges,
    [`SEARCH liquidity_changes USING INDEX ${ofLiquidity} (pool=? AND (block,log_index)>(?,?))`],
  ],
  ['time of a block', queries.timedBlock, ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid<?)']],
  [
    'block until a time',
    queries.blockUntil,
    ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
  ],
  [
    'change until a time',
    queries.changeUntil,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>? AND block<?)`],
  ],
  [
    'time after a block',
    queries.timedBlockAfter,
    ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid>?)'],
  ],
  [
    'change up to a block',
    queries.timedChange,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block<?)`],
  ],
  [
    'change after a block',
    queries.timedChangeAfter,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>?)`],
  ],
  ['swap up to a block', queries.timedSwap, [`SEARCH swaps USING ${key} (block<?)`]],
  [
    'page of changes',
    queries.liquidityPage,
    [
      `SEARCH liquidity_changes USING INDEX ${ofLiquidity} (pool=? AND ${betweenPlaces})`,
      'CORRELATED SCALAR SUBQUERY 1',
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block<?)`,
    ],
  ],
  [
    'changes of blocks',
    queries.liquidityOfBlocks,
    [
      `SEARCH liquidity_changes USING INDEX ${byBlock} (block>? AND block<?)`,
      'CORRELATED SCALAR SUBQUERY 1',
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block<?)`,
    ],
  ],
  ['ticks of pools', queries.ticksOfEach, [`SEARCH ticks USING ${key} (pool=?)`]],
  [
    'changes of pools',
    queries.changesOfEach,
    [`SEARCH liquidity_changes USING INDEX ${ofLiquidity} (pool=? AND block>?)`],
  ],
  [
    'first swaps of pools',
    queries.firstSwapOfEach,
    [`SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>?)`],
  ],
  [
    'swap without a trader',
    queries.firstWithoutTrader,
    [
      `SEARCH swaps USING ${key} (block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
    ],
  ],
  ['token', queries.token, [`SEARCH tokens USING ${key} (address=?)`]],
  [
    'newest page of changes',
    queries.newestLiquidityPage,
    [
      `SEARCH liquidity_changes USING INDEX ${ofLiquidity} (pool=? AND ${betweenPlaces})`,
      'CORRELATED SCALAR SUBQUERY 1',
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block<?)`,
    ],
  ],
  ['oldest swap', queries.oldestSwap, ['SCAN swaps']], // in key order, and no further than one
  ['page of swaps', queries.swapPage, [`SEARCH swaps USING ${key} (${betweenPlaces})`]],
  [
    'newest page of swaps',
    queries.newestSwapPage,
    [`SEARCH swaps USING ${key} (${betweenPlaces})`],
  ],
  [
    'page of a pool',
    queries.poolSwapPage,
    [`SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND ${betweenPlaces})`],
  ],
  [
    'newest page of a pool',
    queries.newestPoolSwapPage,
    [`SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND ${betweenPlaces})`],
  ],
  [
    'search in a pool',
    queries.poolSwapSearch,
    searched(`INDEX ${ofSwaps} (pool=? AND ${betweenPlaces})`),
  ],
  [
    'newest search in a pool',
    queries.newestPoolSwapSearch,
    searched(`INDEX ${ofSwaps} (pool=? AND ${betweenPlaces})`),
  ],
  ['search', queries.swapSearch, searched(`${key} (${betweenPlaces})`)],
  ['newest search', queries.newestSwapSearch, searched(`${key} (${betweenPlaces})`)],
  [
    'block before a time',
    queries.swapBlockBefore,
    [`SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`],
  ],
  [
    'block behind a time',
    queries.swapBlockBehind,
    [`SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`],
  ],
  [
    'changed pools',
    queries.changedPools,
    ['SEARCH liquidity_changes USING INDEX liquidity_changes_by_block (block>? AND block<?)'],
  ],
  [
    'created pools',
    queries.createdPools,
    ['SEARCH pools USING COVERING INDEX pools_by_creation (created_block>? AND created_block<?)'],
  ],
  ['block', queries.block, ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)']],
  [
    'replacements',
    queries.replacementsAfter,
    ['SEARCH replacements USING INTEGER PRIMARY KEY (rowid>?)'],
  ],
  [
    'references',
    queries.references,
    [
      `SEARCH reference_points USING ${key} (address=? AND width=? AND ts>? AND ts<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH earlier USING ${key} (address=? AND width=? AND ts<?)`,
    ],
  ],
  [
    'reference before',
    queries.referenceBefore,
    [`SEARCH reference_points USING ${key} (address=? AND width=? AND ts<?)`],
  ],
  [
    'pools between',
    queries.poolsBetween,
    ['SEARCH pools USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
  ],
  [
    'pools by id',
    queries.poolsById,
    ['SEARCH pools USING INDEX sqlite_autoindex_pools_1 (id>? AND id<?)'],
  ],
  ['ticks of a pool', queries.ticksOfPool, [`SEARCH ticks USING ${key} (pool=?)`]],
  [
    'tokens of pools',
    queries.tokensOfPools,
    [
      `SEARCH tokens USING ${key} (address=?)`,
      'LIST SUBQUERY 2',
      'MERGE (UNION)',
      'LEFT',
      'SEARCH pools USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'USE TEMP B-TREE FOR ORDER BY', // of the tokens of the asked pools only
      'RIGHT',
      'SEARCH pools USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  ['token page', queries.tokenPage, [`SEARCH tokens USING ${key} (address>?)`]],
  ['pool page', queries.poolPage, ['SEARCH pools USING INTEGER PRIMARY KEY (rowid>?)']],
  ['ticks', queries.tickPage, [`SEARCH ticks USING ${key} ((pool,tick)>(?,?))`]],
  [
    'bootstrap state',
    bootstrapQueries.state,
    ['SEARCH first_reading USING INTEGER PRIMARY KEY (rowid=?)'],
  ],
  ['tick map cursors', bootstrapQueries.tickMapCursors, ['SCAN first_maps']], // in key order
  [
    'old swaps',
    pruneQueries.swaps,
    [
      `SEARCH swaps USING ${key} (block=? AND log_index=? AND pool=?)`,
      'LIST SUBQUERY 2',
      'SCAN swaps', // in key order, and no further than its LIMIT
    ],
  ],
  [
    'old blocks',
    pruneQueries.blocks,
    [
      'SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)',
      'LIST SUBQUERY 2',
      'SCAN blocks', // in key order, and no further than its LIMIT
      'SCALAR SUBQUERY 1',
      'SCAN header',
    ],
  ],
  [
    'old candles',
    pruneQueries.candles,
    [
      `SEARCH candles USING ${key} (pool=? AND width=? AND ts=?)`,
      'LIST SUBQUERY 2',
      'SEARCH candles USING COVERING INDEX candles_of_minutes (ts<?)',
    ],
  ],
  [
    'old references',
    pruneQueries.references,
    [
      `SEARCH reference_points USING ${key} (address=? AND width=? AND ts=?)`,
      'LIST SUBQUERY 2',
      'SEARCH reference_points USING COVERING INDEX reference_points_of_minutes (ts<?)',
    ],
  ],
  [
    'block at or below',
    branchQueries.blockAtOrBelow,
    ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid<?)'],
  ],
  [
    'block at or above',
    branchQueries.blockAtOrAbove,
    ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid>?)'],
  ],
  [
    'blocks of a range',
    branchQueries.blocks,
    ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
  ],
  [
    'pools of a range',
    branchQueries.pools,
    ['SEARCH pools USING INDEX pools_by_creation (created_block>? AND created_block<?)'],
  ],
  ['swaps of a range', branchQueries.swaps, [`SEARCH swaps USING ${key} (block>? AND block<?)`]],
  [
    'liquidity of a range',
    branchQueries.liquidity,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>? AND block<?)`],
  ],
  [
    'changed by candle',
    branchQueries.changedCandles,
    ['SEARCH candles USING COVERING INDEX candles_of_minutes (ts>?)'],
  ],
  [
    'changed by liquidity',
    branchQueries.changedLiquidity,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>?)`],
  ],
  [
    'last swap',
    branchQueries.lastSwap,
    [`SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block<?)`],
  ],
  [
    'changes of a pool',
    branchQueries.changes,
    [`SEARCH liquidity_changes USING INDEX ${ofLiquidity} (pool=?)`],
  ],
  ['left swaps', removalQueries.swaps, [`SEARCH swaps USING ${key} (block>?)`]],
  [
    'left liquidity',
    removalQueries.liquidity,
    [`SEARCH liquidity_changes USING INDEX ${byBlock} (block>?)`],
  ],
  ['left blocks', removalQueries.blocks, ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid>?)']],
  [
    'left candles',
    removalQueries.candles,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>?)`],
  ],
  [
    'ticks of left pools',
    removalQueries.createdTicks,
    [`SEARCH ticks USING ${key} (pool=?)`, 'LIST SUBQUERY 1', ofCreation],
  ],
  [
    'candles of left pools',
    removalQueries.createdCandles,
    [`SEARCH candles USING ${key} (pool=?)`, 'LIST SUBQUERY 1', ofCreation],
  ],
  [
    'reserves of left pools',
    removalQueries.createdReserves,
    [`SEARCH reserves USING ${key} (pool=?)`, 'LIST SUBQUERY 1', ofCreation],
  ],
  [
    'old replacements',
    removalQueries.replacements,
    ['SEARCH replacements USING INTEGER PRIMARY KEY (rowid<?)'],
  ],
  [
    'left pools',
    removalQueries.pools,
    ['SEARCH pools USING INDEX pools_by_creation (created_block>?)'],
  ],
]

test.each(plans)('%s: uses an index and does not sort', (_, sql, steps) => {
  const opened = openWriter(':memory:')
  if (!opened.ok) throw new Error(opened.fault)
  // A numbered parameter may occur more than once.
  const numbered = new Set(sql.match(/\?\d/g))
  const values = [...(numbered.size > 0 ? numbered : (sql.match(/\?/g) ?? []))].map(() => 1)
  const plan = opened.value.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
  expect(plan.map((row) => row[3])).toEqual(steps)
  opened.value.close()
})

const dayPlans: readonly (readonly [DayTable, readonly string[]])[] = [
  [
    'swaps',
    [
      `SEARCH swaps USING ${key} (block>? AND block<?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts<?)`,
      'SCALAR SUBQUERY 2',
      `SEARCH swaps USING COVERING INDEX ${byTime} (ts>?)`,
    ],
  ],
  // No index has their times: the whole table is read.
  ['liquidity_changes', [`SCAN liquidity_changes USING INDEX ${byBlock}`]],
  ['candles', ['SCAN pools', `SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`]],
  ['reference_points', ['SCAN reference_points']],
]

test.each(dayPlans)('a day of %s: is read in order without sorting', (table, steps) => {
  const opened = openWriter(':memory:')
  if (!opened.ok) throw new Error(opened.fault)
  for (const pools of [null, aDay.pools]) {
    const sql = sqliteDayQuery(table, { ...aDay, pools })
    const plan = opened.value.prepare(`EXPLAIN QUERY PLAN ${sql}`).all([])
    expect(plan.map((row) => row[3])).toEqual(steps)
  }
  opened.value.close()
})

const firstPlans: readonly (readonly [DayTable, readonly string[]])[] = [
  ['swaps', ['SCAN swaps']],
  ['liquidity_changes', [`SCAN liquidity_changes USING INDEX ${byBlock}`]],
  [
    'candles',
    [
      'SEARCH pools USING COVERING INDEX pools_by_revision',
      'CORRELATED SCALAR SUBQUERY 1',
      `SEARCH candles USING ${key} (pool=? AND width=?)`,
    ],
  ],
  // Few rows, of which an export reads all for a day.
  ['reference_points', ['SEARCH reference_points USING PRIMARY KEY']],
]

test.each(firstPlans)('the first time of %s: is read in the order of a key', (table, steps) => {
  const opened = openWriter(':memory:')
  if (!opened.ok) throw new Error(opened.fault)
  const sql = firstTsQueries(queries)[table]
  const plan = opened.value.prepare(`EXPLAIN QUERY PLAN ${sql}`).all([])
  expect(plan.map((row) => row[3])).toEqual(steps)
  opened.value.close()
})

test('covers every query', () => {
  const planned = plans.map(([, sql]) => sql).toSorted()
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
