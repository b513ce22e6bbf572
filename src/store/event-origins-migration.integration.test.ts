import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import {
  addressOf,
  batchOf,
  chain,
  day,
  hashOf,
  identityOf,
  noOrigin,
  swapAt,
} from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'
import type { StoredLiquidityChange } from '../domain/pool/stored-rows.ts'

const server = await startPostgres()
afterAll(server.dispose)

const earlierSwap = swapAt({ pool: 1, block: 1 }, { txIndex: null, recipient: null })

const changeAt = (
  block: number,
  origin: Pick<StoredLiquidityChange, 'txIndex' | 'owner' | 'sender' | 'salt'>,
): StoredLiquidityChange => ({
  pool: 1,
  block,
  logIndex: 1,
  ts: day + block,
  txHash: hashOf(block),
  tickLower: -60,
  tickUpper: 60,
  liquidityDelta: 5n,
  ...origin,
})

const earlierRows: EarlierRows = (bytes) => `
  INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
    liquidity, tick, sender, usd_micro, estimated) VALUES (1, 1, 0, ${day + 1},
    ${bytes(hashOf(1).slice(2))}, ${bytes('05')}, ${bytes('f9')}, ${bytes(`01${'00'.repeat(12)}`)},
    ${bytes('03e8')}, -1, ${bytes(addressOf(11).slice(2))}, 1500000, 0);
  INSERT INTO liquidity_changes (pool, block, log_index, ts, tx_hash, tick_lower, tick_upper,
    liquidity_delta) VALUES (1, 1, 1, ${day + 1}, ${bytes(hashOf(1).slice(2))}, -60, 60,
    ${bytes('05')});`

const owned = { txIndex: 3, owner: addressOf(7), sender: null, salt: null }
const salted = { txIndex: 0, owner: null, sender: addressOf(8), salt: hashOf(70_000) }
const unsalted = { ...salted, salt: hashOf(0) }

test.each([
  ['SQLite', openEarlierSqlite],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase)],
])(
  'an earlier store of %s keeps its rows, and later ones say where they come from',
  async (_, open) => {
    const store = await open('event-origins', earlierRows, onTestFinished)
    await store.claim(chain, day)
    const swaps = [2, 3].map((block) => swapAt({ pool: 1, block }, { txIndex: block * 40_000 }))
    const changes = [owned, salted, unsalted].map((origin, at) => changeAt(2 + at, origin))
    const pools = [identityOf(1)]
    const range = { before: null, to: 5 }
    await store.commitRange(batchOf(range, { pools, swaps, liquidity: changes }))
    const { swaps: allSwaps, liquidity } = await store.readEvents({ from: 0, to: 5 })
    expect(allSwaps).toEqual([earlierSwap, ...swaps])
    expect(liquidity).toEqual([changeAt(1, noOrigin), ...changes])
  },
)
