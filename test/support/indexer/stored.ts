import { DatabaseSync } from 'node:sqlite'
import { candleWidths } from '../../../src/domain/pool/stored-rows.ts'
import type { SourceId } from '../../../src/domain/status/source-state.ts'
import type { Store, StoreReader } from '../../../src/ports/store.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'

export const openStore = (path = ':memory:'): Store => {
  const store = createSqliteStore({ path })
  if (!store.ok) throw new Error(store.fault)
  return store.value
}

/** A store that belongs to the sample network already. */
export const openClaimedStore = async (path = ':memory:'): Promise<Store> => {
  const store = openStore(path)
  await store.claim({ chainId: 7, network: 'sample', originHash: null }, 0)
  return store
}

export const indexedBlock = async (store: StoreReader): Promise<number | null> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  return header?.cursor?.block ?? null
}

export const sourceOf = async (store: StoreReader, source: SourceId) => {
  const records = await store.snapshot((snapshot) => snapshot.sources())
  return records.find((record) => record.source === source)
}

export const poolsOf = (store: StoreReader) =>
  store.snapshot((snapshot) => snapshot.poolsChangedAfter(-1))

export const swapsOf = (store: StoreReader, pool: number) =>
  store.snapshot((snapshot) => snapshot.swaps({ pool, fromTs: 0, rowsMax: 10_000 }))

export const candlesOf = async (store: StoreReader, pool: number) => {
  const span = { pool, fromTs: 0, toTs: 4_000_000_000 }
  const read = (width: (typeof candleWidths)[number]) =>
    store.snapshot((snapshot) => snapshot.candles({ ...span, width }))
  const series = await Promise.all(candleWidths.map(read))
  return series.flatMap(({ rows }) => rows)
}

/** Columns that say when something was written, not what. */
const whenColumns = ['revision', 'last_hot_ts', 'read_ts']
/** All that comes from the chain. The blocks: only those that hold something, not range ends. */
const tables = [
  'SELECT * FROM pools ORDER BY number',
  'SELECT * FROM ticks ORDER BY pool, tick',
  'SELECT * FROM swaps ORDER BY pool, block, log_index',
  'SELECT * FROM liquidity_changes ORDER BY pool, block, log_index',
  'SELECT * FROM candles ORDER BY pool, width, ts',
  'SELECT * FROM reference_points ORDER BY address, width, ts',
  'SELECT * FROM tokens ORDER BY address',
  'SELECT * FROM stocks ORDER BY address',
  'SELECT * FROM blocks WHERE block IN (SELECT block FROM swaps) ORDER BY block',
  'SELECT indexed_block, indexed_hash, indexed_ts FROM header',
]

/** Every row of a file, table by table, as text to compare. */
export const dumpStore = (path: string): readonly string[] => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return tables.map((query) => {
      const rows = db.prepare(query).all()
      return rows
        .map((row) =>
          Object.entries(row)
            .filter(([column]) => !whenColumns.includes(column))
            .map(([, value]) =>
              value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
            )
            .join(' '),
        )
        .join('\n')
    })
  } finally {
    db.close()
  }
}
