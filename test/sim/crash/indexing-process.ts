import { writeFileSync } from 'node:fs'
import type { UnixSeconds } from '../../../src/domain/units.ts'
import { startIndexer } from '../../../src/indexer/index.ts'
import { createHttpClient } from '../../../src/net/http-client.ts'
import { systemTimer } from '../../../src/net/timer.ts'
import type { ChainReader } from '../../../src/ports/chain-reader.ts'
import type { Logger } from '../../../src/ports/runtime.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { IndexHeader } from '../../../src/ports/store-batches.ts'
import { createChainReader } from '../../../src/rpc/chain-reader.ts'
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { chainId, indexerDepsOf } from './crash-network.ts'
import { namingWorks, opening, watchPoints } from './points.ts'

/*
 * A real indexer on a real file or database, over real HTTP, that ends itself at the first point
 * that is not spared, as `kill -9` does.
 */

/** What such a process is to do. */
export type Order = {
  /** Of the file; beside it the point is written at which it killed itself. */
  readonly path: string
  /** Of the database that takes the file's place; it has no points to kill oneself at. */
  readonly database: string | null
  readonly url: string
  readonly nowTs: UnixSeconds
  /** Points at which it was killed before; null: it is not to kill itself. */
  readonly spared: readonly string[] | null
  /** Where in a transaction it may kill itself; null: anywhere. */
  readonly places: readonly string[] | null
}

/** What it reports: the store's header, or an error. */
export type Said =
  | { readonly kind: 'ready' | 'stopped' }
  | { readonly kind: 'stands'; readonly header: IndexHeader | null; readonly work: string }
  | { readonly kind: 'wrong'; readonly text: string }

/** So short that waiting for the chain takes no time. */
const pollMs = 10

const say = (said: Said): void => void process.send?.(said)
const wrong = (text: string): void => say({ kind: 'wrong', text })
const quiet = (): void => {}
const logger: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (message, fields) => {
    if (message.startsWith('Unexpected error')) wrong(`${message} ${JSON.stringify(fields)}`)
  },
}

const killAt = ({ path, spared, places }: Order) => {
  const known = new Set(spared)
  return (work: string, place: string): void => {
    const point = `${work}: ${place}`
    if (spared === null || known.has(point) || places?.includes(place) === false) return
    writeFileSync(`${path}.killed`, point)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Writes after which the chain may continue. */
const moving = [
  'advanceFinalized',
  'commitBackfill',
  'commitRange',
  'recordHead',
  'replaceBranch',
  'replaceTickMap',
  'seedPools',
]

const openStore = async (order: Order): Promise<Store> => {
  const reached = killAt(order)
  watchPoints(reached)
  const opened =
    order.database === null
      ? opening(() => createSqliteStore({ path: order.path }))
      : await createPostgresStore({ url: order.database, leaseGeneration: null })
  if (!opened.ok) throw new Error(opened.fault)
  const { snapshot } = opened.value
  return namingWorks(opened.value, async (work) => {
    if (!moving.includes(work)) return
    reached(work, 'its answer')
    say({ kind: 'stands', work, header: await snapshot((stored) => stored.header()) })
  })
}

/** The chain's clock: stored times do not depend on how long a process ran. */
const followingClock = (chain: ChainReader, startTs: UnixSeconds) => {
  let nowTs = startTs
  const heads: ChainReader['getHeads'] = async () => {
    const read = await chain.getHeads()
    if (read.ok) nowTs = read.value.latest.ts
    return read
  }
  return { chain: { ...chain, getHeads: heads }, clock: { now: () => nowTs } }
}

const live = async (order: Order): Promise<void> => {
  const store = await openStore(order)
  say({ kind: 'stands', work: 'open', header: await store.snapshot((stored) => stored.header()) })
  const chain = createChainReader({
    urls: [order.url],
    chainId,
    multicall3: null,
    finality: 'finalized',
    httpClient: createHttpClient(),
    timer: systemTimer,
    random: () => 0,
    logger,
  })
  const indexer = await startIndexer(
    indexerDepsOf({
      ...followingClock(chain, order.nowTs),
      store,
      logger,
      onRefused: wrong,
      pollMs,
    }),
  )
  process.once('message', async () => {
    await indexer.stop()
    await store.close()
    say({ kind: 'stopped' })
    process.disconnect()
  })
}

process.once('message', (order) => void live(order as Order))
say({ kind: 'ready' })
