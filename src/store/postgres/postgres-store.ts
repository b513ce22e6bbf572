import type { Client } from 'pg'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store, StoreReader, StoreWriter } from '../../ports/store.ts'
import { queries } from '../shared/queries.ts'
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
  /** The lease's generation under which it may write; null: whoever opens it is its one writer. */
  readonly leaseGeneration: number | null
  readonly logger?: Logger
  /** For tests: what a server without partitions gets. */
  readonly layout?: TableLayout
  /** For tests: of patience without end. */
  readonly limits?: Partial<PoolLimits>
}

export type PostgresReader = StoreReader & Pick<Store, 'close'>

/** Of one process: a database has some hundred connections for all. */
const readersMax = 4

/** The longest that the writer does in one statement are ten thousand rows. */
const writingMsMax = 30_000
/** Who asks the service waits meanwhile. */
const readingMsMax = 15_000

const openReading = (options: Pick<PoolOptions, 'url' | 'name' | 'logger' | 'limits'>) =>
  openPool({ ...options, connectionsMax: readersMax, statementMsMax: readingMsMax })

/** One answer: a megabyte or two, and not too many times the way there and back. */
const pageRows = 2_000

const createWriter = (parts: WriteDeps): StoreWriter => {
  const writing = createWriteTransactions(parts)
  return {
    ...createRecordWrites(writing),
    ...createBatchWrites(writing),
    ...createWriterReads(writing),
    ...createTableReads(writing.read, queries, pageRows),
    prune: createPrune(writing, parts.partitions),
  }
}

type Judge = (client: Client) => Promise<Outcome<SchemaStatus, string>>

/** Asks a database what it is to us; the fault is one line that names it. */
const standingAt = async (url: string, judge: Judge): Promise<Outcome<SchemaStatus, string>> => {
  try {
    const standing = await withClient(url, judge)
    return standing.ok ? standing : failure(`store ${displayUrl(url)} ${standing.fault}`)
  } catch (error) {
    return failure(describeConnectError(url, error))
  }
}

const isReadOnly = async (client: Client): Promise<boolean> => {
  const [row] = await createSession(client).texts('SHOW transaction_read_only')
  return row?.[0] === 'on'
}

/** Whoever finds half a store must not take it for a whole one. */
const wholeOf = (standing: Outcome<SchemaStatus, string>): Outcome<SchemaStatus, string> =>
  standing.ok && standing.value.isHalfImported
    ? failure('is half imported: run "stockpools import" again')
    : standing

const upgraded =
  (layout?: TableLayout): Judge =>
  async (client) =>
    (await isReadOnly(client))
      ? failure('is a copy that can not be written: name its primary')
      : migrateSchema(client, layout)

/** As it is; the writer brings it up to date. */
const upToDate: Judge = async (client) => {
  const standing = wholeOf(await readSchemaStatus(createSession(client)))
  if (!standing.ok || standing.value.missing.length === 0) return standing
  return failure('is not ready: its indexer must be started first')
}

/** Brings the schema up to date (the lease's table with it) before a lease can be asked for. */
export const migratePostgres = async ({
  url,
}: {
  readonly url: string
}): Promise<Outcome<void, string>> => {
  const standing = await standingAt(url, upgraded())
  return standing.ok ? success(undefined) : standing
}

/** Finds out whether a whole store is there, its schema up to date. */
export const checkPostgresSchema = async ({
  url,
}: {
  readonly url: string
}): Promise<Outcome<void, string>> => {
  const standing = await standingAt(url, upToDate)
  return standing.ok ? success(undefined) : standing
}

/**
 * The store for several processes: one database of a PostgreSQL server (15 or newer) or of its kin.
 * One writer, under the lease's generation; any number of readers. A connection that breaks is a
 * rejection: whoever asked asks again. The fault is one line that names host and database.
 */
export const createPostgresStore = async ({
  url,
  leaseGeneration: fence,
  logger,
  layout: wished,
  limits,
}: PostgresStoreOptions): Promise<Outcome<Store, string>> => {
  const judge: Judge = async (client) => wholeOf(await upgraded(wished)(client))
  const standing = await standingAt(url, judge)
  if (!standing.ok) return standing
  const { layout, notifies } = standing.value
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
    ...createWriter({ pool: writing, mutex, leaseGeneration: fence, notifies, partitions }),
    ...createReader(reading, layout),
    close: async () => {
      // After whatever was asked for before.
      const written = mutex(() => endPool(writing))
      await waitAtMost(Promise.all([endPool(reading), written]).then(() => undefined))
    },
  })
}

/** For a process that only reads what another one writes; of a standby server too. */
export const createPostgresReader = async ({
  url,
  logger,
  limits,
}: Pick<PostgresStoreOptions, 'url' | 'logger' | 'limits'>): Promise<
  Outcome<PostgresReader, string>
> => {
  const standing = await standingAt(url, upToDate)
  if (!standing.ok) return standing
  const pool = openReading({ url, name: 'stockpools api', logger, limits })
  return success({
    ...createReader(pool, standing.value.layout),
    close: () => waitAtMost(endPool(pool)),
  })
}
