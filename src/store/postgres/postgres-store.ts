import type { Client } from 'pg'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store, StoreReader, StoreWriter } from '../../ports/store.ts'
import { queries, swapTransactionsQuery } from '../shared/queries.ts'
import { createTableReads, createWriterReads } from '../shared/reads.ts'
import { createRecordWrites } from '../shared/records.ts'
import { createConnectionMutex } from '../shared/session.ts'
import { createBatchWrites } from '../shared/writer.ts'
import {
  describeConnectError,
  displayUrl,
  endPool,
  openPool,
  type PoolLimits,
  type PoolOptions,
  waitAtMost,
  withClient,
} from './connection-pool.ts'
import { createPartitions, noPartitions } from './partitions.ts'
import { createPrune } from './prune.ts'
import { createReader } from './reader.ts'
import { migrateSchema, readSchemaStatus, type SchemaStatus, type TableLayout } from './schema.ts'
import { createSession } from './session.ts'
import { createWriteTransactions, type WriteDeps } from './write-transaction.ts'

export type PostgresStoreOptions = {
  readonly url: string
  /** The generation of the lease that fences writes; null: the caller is the only writer. */
  readonly leaseGeneration: number | null
  readonly logger?: Logger
  /** For tests: the layout for servers without partitions. */
  readonly layout?: TableLayout
  /** For tests: longer timeouts. */
  readonly limits?: Partial<PoolLimits>
}

export type PostgresReader = StoreReader & Pick<Store, 'close'>

/** Per process: a server has some hundred connections. */
const readersMax = 4

/** The longest statement writes ten thousand rows. */
const writingMsMax = 30_000
/** A client of the API waits for it. */
const readingMsMax = 15_000

const openReading = (options: Pick<PoolOptions, 'url' | 'name' | 'logger' | 'limits'>) =>
  openPool({ ...options, connectionsMax: readersMax, statementMsMax: readingMsMax })

/** One or two megabytes: few round trips. */
const pageRows = 2_000

const createWriter = (parts: WriteDeps): StoreWriter => {
  const writing = createWriteTransactions(parts)
  return {
    ...createRecordWrites(writing),
    ...createBatchWrites(writing),
    ...createWriterReads(writing, swapTransactionsQuery('ts DESC, block DESC, log_index DESC')),
    ...createTableReads(writing.read, queries, pageRows),
    prune: createPrune(writing, parts.partitions),
  }
}

type CheckStatus = (client: Client) => Promise<Outcome<SchemaStatus, string>>

/** Connects and checks the schema; the fault is one line with host and database. */
const readStatusAt = async (
  url: string,
  check: CheckStatus,
): Promise<Outcome<SchemaStatus, string>> => {
  try {
    const status = await withClient(url, check)
    return status.ok ? status : failure(`store ${displayUrl(url)} ${status.fault}`)
  } catch (error) {
    return failure(describeConnectError(url, error))
  }
}

const isReadOnly = async (client: Client): Promise<boolean> => {
  const [row] = await createSession(client).texts('SHOW transaction_read_only')
  return row?.[0] === 'on'
}

/** Rejects an incomplete restore. */
const requireComplete = (status: Outcome<SchemaStatus, string>): Outcome<SchemaStatus, string> =>
  status.ok && status.value.isHalfRestored
    ? failure('contains an incomplete restore: run "stockpools restore" again')
    : status

const migrate =
  (layout?: TableLayout): CheckStatus =>
  async (client) =>
    (await isReadOnly(client))
      ? failure('is a read-only replica: configure its primary')
      : migrateSchema(client, layout)

/** For readers, which do not migrate. */
const upToDate: CheckStatus = async (client) => {
  const status = requireComplete(await readSchemaStatus(createSession(client)))
  if (!status.ok || status.value.missing.length === 0) return status
  return failure('is not ready: start its indexer first')
}

/** Migrates the schema, which creates the lease's table. */
export const migratePostgres = async ({
  url,
}: {
  readonly url: string
}): Promise<Outcome<void, string>> => {
  const status = await readStatusAt(url, migrate())
  return status.ok ? success(undefined) : status
}

/** Fails unless the database has a complete store with an up-to-date schema. */
export const checkPostgresSchema = async ({
  url,
}: {
  readonly url: string
}): Promise<Outcome<void, string>> => {
  const status = await readStatusAt(url, upToDate)
  return status.ok ? success(undefined) : status
}

/**
 * The store for several processes: one database of PostgreSQL 15 or newer, or of a compatible
 * server. One writer, fenced by the lease's generation; any number of readers. Calls reject when
 * their connection breaks, and the caller retries. The fault is one line with host and database.
 */
export const createPostgresStore = async ({
  url,
  leaseGeneration,
  logger,
  layout: layoutWished,
  limits,
}: PostgresStoreOptions): Promise<Outcome<Store, string>> => {
  const check: CheckStatus = async (client) => requireComplete(await migrate(layoutWished)(client))
  const status = await readStatusAt(url, check)
  if (!status.ok) return status
  const { layout, notifies } = status.value
  const writing = openPool({
    url,
    name: 'stockpools index',
    connectionsMax: 1,
    statementMsMax: writingMsMax,
    logger,
    limits,
  })
  const reading = openReading({ url, name: 'stockpools read', logger, limits })
  const mutex = createConnectionMutex()
  const partitions = layout === 'in-days' ? createPartitions() : noPartitions
  return success({
    ...createWriter({ pool: writing, mutex, leaseGeneration, notifies, partitions }),
    ...createReader(reading, layout),
    close: async () => {
      // After all pending writes.
      const written = mutex(() => endPool(writing))
      await waitAtMost(Promise.all([endPool(reading), written]).then(() => undefined))
    },
  })
}

/** For a process that only reads; also on a replica. */
export const createPostgresReader = async ({
  url,
  logger,
  limits,
}: Pick<PostgresStoreOptions, 'url' | 'logger' | 'limits'>): Promise<
  Outcome<PostgresReader, string>
> => {
  const status = await readStatusAt(url, upToDate)
  if (!status.ok) return status
  const pool = openReading({ url, name: 'stockpools api', logger, limits })
  return success({
    ...createReader(pool, status.value.layout),
    close: () => waitAtMost(endPool(pool)),
  })
}
