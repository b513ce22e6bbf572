import type { EventPlace } from '../../domain/pool/pool-event.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import { isFlashFunded } from '../../domain/volume/block-findings.ts'
import { type FilteredVolume, unknownFilteredVolume } from '../../domain/volume/pool-sums.ts'
import { createVolumeFilter, type VolumeFilter } from '../../domain/volume/volume-filter.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { yieldToEventLoop } from '../../util/time-slice.ts'
import { toCoverage } from './history-coverage.ts'

/** The filtered volumes at one revision, and the pools of which they changed. */
export type FilteredVolumes = {
  readonly figuresOf: (pool: PoolNumber) => FilteredVolume
  readonly changed: ReadonlySet<PoolNumber>
}

/** Follows the swaps of the last day in the store (methodology §5). */
export type VolumeFiltering = {
  readonly read: (snapshot: StoreSnapshot, header: IndexHeader) => Promise<FilteredVolumes>
  /** Whether more rows of the same revision are to be read. */
  readonly isBehind: () => boolean
}

/** A few milliseconds of work, after which requests are served. */
const pageRows = 1_000
/** Of one revision while the day is read for the first time: the rows follow later. */
const firstPagesMax = 5
/** Liquidity changes of one block of a pool, beyond which none is looked at. */
const changesMax = 1_000
/** The newest swaps, whose traders are read next. */
const recentSwaps = 1_000
/** Swaps that the search for unknown traders passes in one revision. */
const scanSteps = 20_000
const scanSeconds = 30

const nothing: FilteredVolumes = { figuresOf: () => unknownFilteredVolume, changed: new Set() }

type Cursor = NonNullable<IndexHeader['cursor']>

const allPools = { pool: null, order: 'asc' } as const

/** The next rows of the window, up to the end of a block. */
const readPage = async (
  snapshot: StoreSnapshot,
  cursor: Cursor,
  after: EventPlace | null,
): Promise<{ readonly rows: readonly StoredSwap[]; readonly isLast: boolean }> => {
  const fromTs = cursor.ts - secondsPerDay + 1
  for (let rowsMax = pageRows; ; rowsMax *= 2) {
    const span = { fromTs, toTs: cursor.ts, rowsMax }
    const rows = await snapshot.swapPage({ ...allPools, after, ...span })
    if (rows.length < rowsMax) return { rows, isLast: true }
    const lastBlock = rows.at(-1)?.block
    const whole = rows.filter(({ block }) => block !== lastBlock)
    if (whole.length > 0) return { rows: whole, isLast: false }
  }
}

/** Blocks in which the liquidity of a pool changed more than once, by pool and block. */
const readChangedBlocks = async (
  snapshot: StoreSnapshot,
  range: { readonly afterBlock: BlockNumber; readonly toBlock: BlockNumber },
): Promise<ReadonlySet<string>> => {
  const [once, more] = [new Set<string>(), new Set<string>()]
  let { afterBlock } = range
  for (let rowsMax = pageRows; ; ) {
    const rows = await snapshot.touchedPools({ ...range, afterBlock, rowsMax })
    const isLast = rows.length < rowsMax
    const cut = isLast ? Number.POSITIVE_INFINITY : (rows.at(-1)?.block ?? 0)
    const whole = rows.filter(({ block }) => block < cut)
    for (const { pool, block } of whole) {
      const key = `${pool}:${block}`
      if (once.has(key)) more.add(key)
      else once.add(key)
    }
    if (isLast) return more
    if (whole.length === 0) rowsMax *= 2
    else afterBlock = cut - 1
  }
}

const readHooks = async (snapshot: StoreSnapshot, pool: PoolNumber): Promise<string | null> => {
  const [stored] = await snapshot.poolsBetween({ from: pool, to: pool })
  return stored?.key.hooks ?? null
}

/** Of complete blocks. */
const readFlashFunded = async (
  snapshot: StoreSnapshot,
  rows: readonly StoredSwap[],
): Promise<ReadonlySet<StoredSwap>> => {
  const [first, last] = [rows[0], rows.at(-1)]
  const found = new Set<StoredSwap>()
  if (first === undefined || last === undefined) return found
  const range = { afterBlock: first.block - 1, toBlock: last.block }
  const changed = await readChangedBlocks(snapshot, range)
  if (changed.size === 0) return found
  const groups = Map.groupBy(rows, ({ pool, block }) => `${pool}:${block}`)
  for (const [key, [one, ...others]] of groups) {
    if (one === undefined || !changed.has(key)) continue
    const { pool, block, ts } = one
    const changes = await snapshot.liquidityPage({
      ...{ pool, after: { block, logIndex: -1, ts }, order: 'asc' },
      ...{ fromTs: ts, toTs: ts, rowsMax: changesMax },
    })
    const own = changes.filter((change) => change.block === block)
    const around = [one, ...others].filter((swap) => isFlashFunded(swap, own, null))
    const hooks = around.length === 0 ? null : await readHooks(snapshot, pool)
    for (const swap of around) if (isFlashFunded(swap, own, hooks)) found.add(swap)
  }
  return found
}

/** Reads the rows again from the first swap on whose trader was unknown. */
const createTraderReads = (filter: VolumeFilter) => {
  /** Where the search for older ones continues; null: not before a time. */
  let scanFrom = 0
  let scanAfterTs = 0

  /** Returns the number of the first swap that was not read. */
  const learnFrom = async (snapshot: StoreSnapshot, number: number, toTs: UnixSeconds) => {
    const { block, logIndex, ts } = filter.placeOf(number)
    const after = { block, logIndex: logIndex - 1, ts }
    const span = { fromTs: ts, toTs, rowsMax: pageRows / 2 }
    const rows = await snapshot.swapPage({ ...allPools, after, ...span })
    filter.learnTraders(rows)
    return number + Math.max(1, rows.length)
  }

  return async (snapshot: StoreSnapshot, toTs: UnixSeconds): Promise<void> => {
    const recent = filter.findUnknown(filter.end() - recentSwaps, recentSwaps)
    if (recent !== null) await learnFrom(snapshot, recent, toTs)
    if (toTs < scanAfterTs) return
    const older = filter.findUnknown(scanFrom, scanSteps)
    scanFrom =
      older === null
        ? Math.max(scanFrom, filter.first()) + scanSteps
        : await learnFrom(snapshot, older, toTs)
    if (scanFrom < filter.end()) return
    scanFrom = 0
    scanAfterTs = toTs + scanSeconds
  }
}

const createReading = () => {
  const filter = createVolumeFilter()
  const readTraders = createTraderReads(filter)
  let after: EventPlace | null = null
  let isComplete = false

  /** Returns whether the filter has reached the cursor. */
  const readSwaps = async (snapshot: StoreSnapshot, cursor: Cursor): Promise<boolean> => {
    for (let page = 0; isComplete || page < firstPagesMax; page++) {
      const { rows, isLast } = await readPage(snapshot, cursor, after)
      const flashFunded = await readFlashFunded(snapshot, rows)
      filter.add(rows, flashFunded)
      const last = rows.at(-1)
      if (last !== undefined) after = { block: last.block, logIndex: last.logIndex, ts: last.ts }
      filter.advance(cursor.ts)
      if (isLast) return true
      await yieldToEventLoop()
    }
    return false
  }

  return {
    isComplete: () => isComplete,
    read: async (snapshot: StoreSnapshot, cursor: Cursor): Promise<FilteredVolumes> => {
      isComplete = await readSwaps(snapshot, cursor)
      await readTraders(snapshot, cursor.ts)
      return isComplete ? { figuresOf: filter.figuresOf, changed: filter.takeChanged() } : nothing
    },
  }
}

/** `hasTraders` false: the indexer reads no traders, and nothing is known. */
export const createVolumeFiltering = (hasTraders: boolean): VolumeFiltering => {
  let reading: ReturnType<typeof createReading> | null = null
  return {
    isBehind: () => reading?.isComplete() === false,
    read: async (snapshot, header) => {
      const { cursor } = header
      const { gap } = toCoverage(header)
      if (!hasTraders || cursor === null || gap?.hasDay === false) {
        reading = null
        return nothing
      }
      reading ??= createReading()
      return reading.read(snapshot, cursor)
    },
  }
}
