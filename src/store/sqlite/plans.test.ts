import { expect, test } from 'vitest'
import { liquidityAfterQuery } from './history.ts'
import { openWriter } from './open.ts'
import { pruneQueries } from './prune.ts'
import { queries } from './reads.ts'
import { tickPageQuery } from './sqlite-store.ts'

// The engine plans without statistics here, and once took the wrong index; so each plan is
// written down. A step that says SCAN reads a whole table: only small ones may.

const bySecond = 'swaps_by_second'
const key = 'PRIMARY KEY'
const sorting = 'USE TEMP B-TREE FOR ORDER BY'
const ofSwaps = 'sqlite_autoindex_swaps_1'

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
  // Once, after a restart in the middle of a first reading.
  ['kept changes', liquidityAfterQuery, ['SCAN liquidity_changes', sorting]],
  ['block time', queries.blockTs, ['SEARCH blocks USING INTEGER PRIMARY KEY (rowid<?)']],
  ['volume', queries.volume, [`SEARCH swaps USING COVERING INDEX ${bySecond} (ts>?)`]],
  [
    'candles',
    queries.candles,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'candle before',
    queries.candleBefore,
    [`SEARCH candles USING ${key} (pool=? AND width=? AND ts<?)`],
  ],
  [
    'swaps',
    queries.swaps,
    [
      `SEARCH swaps USING INDEX ${ofSwaps} (pool=? AND block>?)`,
      'SCALAR SUBQUERY 1',
      `SEARCH swaps USING COVERING INDEX ${bySecond} (ts<?)`,
    ],
  ],
  [
    'references',
    queries.references,
    [`SEARCH reference_points USING ${key} (address=? AND width=? AND ts>? AND ts<?)`],
  ],
  [
    'reference before',
    queries.referenceBefore,
    [`SEARCH reference_points USING ${key} (address=? AND width=? AND ts<?)`],
  ],
  ['ticks', tickPageQuery, [`SEARCH ticks USING ${key} ((pool,tick)>(?,?))`]],
  [
    'old swaps',
    pruneQueries.swaps,
    [
      `SEARCH swaps USING COVERING INDEX ${ofSwaps} (pool=? AND block=? AND log_index=?)`,
      'LIST SUBQUERY 2',
      `SEARCH swaps USING INDEX ${bySecond} (ts<?)`,
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
]

test.each(plans)('%s are found by index, without sorting', (_, sql, steps) => {
  const opened = openWriter(':memory:')
  if (!opened.ok) throw new Error(opened.fault)
  const values = sql.match(/\?/g)?.map(() => 1) ?? []
  const plan = opened.value.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
  expect(plan.map((row) => row[3])).toEqual(steps)
  opened.value.close()
})

test('no query is left out', () => {
  const planned = plans.map(([, sql]) => sql).toSorted()
  const all = [
    ...Object.values(queries),
    ...Object.values(pruneQueries),
    tickPageQuery,
    liquidityAfterQuery,
  ]
  expect(planned).toEqual(all.toSorted())
})
