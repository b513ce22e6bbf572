import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../test/sim/random.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  chain,
  day,
  hashOf,
  identityOf,
  stateOf,
  swapAt,
} from '../../test/store-contract/fixtures.ts'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'
import { minutesOf } from '../../test/support/export/filled-store.ts'
import { runExport } from '../../test/support/export/run-export.ts'
import type { StoredLiquidityChange, StoredSwap } from '../domain/pool/stored-rows.ts'
import { aggregateCandles } from '../domain/series/candles.ts'
import { isFlashFunded } from '../domain/volume/block-findings.ts'
import { createVolumeFilter } from '../domain/volume/volume-filter.ts'
import { openSqliteDays } from '../store/sqlite/day-store.ts'

/*
 * The rule of methodology §5 as SQL over exported files (examples/filtered-volume.sql) against the
 * sums that the service keeps: a day of honest traders and bots of every kind in three pools.
 */

const secondsPerDay = 86_400
const unit = 10n ** 18n
const pools = [2, 1, 4] as const
const random = createRandom(11)

type Order = {
  readonly pool: number
  readonly trader: number | null
  readonly buys: boolean
  readonly stock: bigint
  /** Dollars for one, in hundredths of a percent of 100 dollars. */
  readonly price?: number
  readonly implausible?: boolean
}

/** What happens in one block, as transactions of several orders. */
type Block = {
  readonly transactions: readonly (readonly Order[])[]
  readonly flash?: 'own transaction' | 'own sender' | 'of others'
}

const drawStock = (): bigint =>
  BigInt(random.between(1e7, 1e9)) * 10n ** 10n + BigInt(Math.floor(random.next() * 1e9))

const honest = (pool: number, traders: number): Block => ({
  transactions: [
    [
      {
        pool,
        trader: 100 + Math.floor(random.next() * traders),
        buys: random.percent(55),
        stock: random.percent(10) ? unit : drawStock(),
        price: random.between(9_900, 10_100),
        implausible: random.percent(2),
      },
    ],
  ],
})

const swapBack = (pool: number, buyer: number, seller: number): readonly Block[] => {
  const stock = drawStock()
  return [
    { transactions: [[{ pool, trader: buyer, buys: true, stock, price: 10_030 }]] },
    { transactions: [[{ pool, trader: seller, buys: false, stock, price: 9_970 }]] },
  ]
}

const roundTrip = (pool: number): Block => {
  const stock = drawStock()
  return {
    transactions: [
      [
        { pool, trader: 7, buys: true, stock, price: 10_030 },
        { pool, trader: 7, buys: false, stock, price: 9_970 },
      ],
      // Two people of one relayer.
      [
        { pool, trader: 8, buys: true, stock: drawStock() },
        { pool, trader: 8, buys: false, stock: 3n * drawStock() },
      ],
    ],
  }
}

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const flashKinds = ['own transaction', 'own sender', 'of others'] as const

const blocks: readonly Block[] = [
  ...times(300, () => [honest(2, 12)]),
  ...times(20, () => swapBack(2, 3, 3)),
  ...times(15, () => [roundTrip(2)]),
  ...times(120, () => [honest(1, 30)]),
  ...times(9, (at) => swapBack(1, 40 + (at % 4), 40 + ((at + 1) % 4))),
  ...times(21, (at) => [{ ...honest(1, 5), flash: flashKinds[at % 3] as (typeof flashKinds)[0] }]),
  ...times(120, (at) => [
    {
      transactions: [
        [{ pool: 4, trader: 50 + (at % 2), buys: at % 4 < 2, stock: 200n * unit + drawStock() }],
      ],
    },
  ]),
  [{ transactions: [[{ pool: 4, trader: null, buys: true, stock: drawStock() }]] }],
]
  // Pairs stay together.
  .map((group) => ({ group, at: random.next() }))
  .toSorted((a, b) => a.at - b.at)
  .flatMap(({ group }) => group)

const router = addressOf(900)

const swapsOf = (block: Block, number: number): readonly StoredSwap[] => {
  let logIndex = 9
  return block.transactions.flatMap((orders, txIndex) =>
    orders.map(({ pool, trader, buys, stock, price = 10_000, implausible = false }) => {
      logIndex += 1
      const usd = (stock * BigInt(price)) / (100n * 10n ** 12n)
      return swapAt(
        { pool, block: number, logIndex },
        {
          ...{ txHash: hashOf(number * 10 + txIndex), txIndex, sender: router, implausible },
          ...{ amount0: buys ? -stock : stock, amount1: buys ? usd : -usd },
          ...{ usdMicro: Number(usd), trader: trader === null ? null : addressOf(trader) },
        },
      )
    }),
  )
}

const changesOf = (block: Block, number: number): readonly StoredLiquidityChange[] => {
  const { flash } = block
  const pool = block.transactions[0]?.[0]?.pool
  if (flash === undefined || pool === undefined) return []
  const at = (logIndex: number, liquidityDelta: bigint): StoredLiquidityChange => ({
    ...{ pool, block: number, logIndex, ts: day + number, txIndex: 0, liquidityDelta },
    txHash: flash === 'own transaction' ? hashOf(number * 10) : hashOf(number * 10 + logIndex),
    ...{ tickLower: -60, tickUpper: 60, owner: null, salt: hashOf(9) },
    sender: flash === 'own sender' ? router : addressOf(901),
  })
  return [at(1, unit), at(99, -unit)]
}

const every = Math.floor(secondsPerDay / blocks.length)
const numberOf = (at: number): number => at * every + 1
const swaps = blocks.flatMap((block, at) => swapsOf(block, numberOf(at)))
const changes = blocks.flatMap((block, at) => changesOf(block, numberOf(at)))

const exportDay = async (): Promise<string> => {
  const folder = temporaryFolder(onTestFinished)
  const location = sqliteLocation(folder)
  const store = unwrap(await location.openStore())
  await store.claim(chain, day)
  const to = secondsPerDay + 10
  const numbers = [...new Set([...swaps, ...changes].map(({ block }) => block))]
  const batch = {
    blocks: numbers.map((number) => blockRefAt(number)),
    pools: pools.map((pool) => identityOf(pool)),
    states: pools.map((pool) => ({ pool, state: stateOf(5n) })),
    ...{ swaps, liquidity: changes },
    candles: pools.flatMap((pool) =>
      aggregateCandles(minutesOf(swaps.filter((swap) => swap.pool === pool))),
    ),
  }
  expect(await store.commitRange(batchOf({ before: null, to }, batch))).toBe('committed')
  const finalized = { expectedCursor: null, to: blockRefAt(to), crossChecked: true }
  await store.advanceFinalized(finalized)
  await store.close()
  const days = unwrap(openSqliteDays(location.url.slice('sqlite:'.length)))
  const out = join(folder, 'out')
  for (const dataset of ['swaps', 'liquidity'] as const) {
    unwrap(await runExport(days, out, { dataset }))
  }
  await days.close()
  return out
}

const query = async (out: string) => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  for (const name of ['swaps', 'liquidity']) {
    await connection.run(`CREATE VIEW ${name} AS FROM read_parquet('${out}/${name}/*.parquet')`)
  }
  const sql = readFileSync(new URL('../../examples/filtered-volume.sql', import.meta.url), 'utf8')
  return (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

test('the rule as SQL over exported files gives what the service says', async () => {
  const filter = createVolumeFilter()
  const flashFunded = swaps.filter((swap) =>
    isFlashFunded(
      swap,
      changes.filter(({ pool, block }) => pool === swap.pool && block === swap.block),
      null,
    ),
  )
  expect(flashFunded).toHaveLength(14)
  filter.add(swaps, new Set(flashFunded))
  filter.advance(day + secondsPerDay - 1)
  const rows = await query(await exportDay())
  const found = new Map(rows.map((row) => [row.pool_id, row]))
  for (const pool of pools) {
    const { vol24hFilteredUsd, traders24h, washShare24h } = filter.figuresOf(pool)
    const row = found.get(identityOf(pool).id)
    expect(row).toMatchObject({
      swaps: String(swaps.filter((swap) => swap.pool === pool).length),
      ...{ traders: String(traders24h), filtered_usd: vol24hFilteredUsd, unpriced: '0' },
      unknown: pool === 4 ? '1' : '0',
    })
    const volume = Number(row?.volume_usd)
    expect(1 - Number(vol24hFilteredUsd) / volume).toBeCloseTo(Number(washShare24h), 12)
    expect(washShare24h).toBeGreaterThan(0.05)
  }
})
