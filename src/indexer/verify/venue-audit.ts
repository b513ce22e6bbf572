import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { withoutRepeatedCreations } from '../../domain/ingest/creations-first.ts'
import { isIndexedPool, type TokenRoles } from '../../domain/pool/pool-kind.ts'
import type { CoveragePass, VenuePass } from '../../domain/status/venue-coverage.ts'
import type { Address, BlockNumber, PoolId, UnixSeconds } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { StepResult } from '../../util/loop.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createPoolLogDecoder } from '../scan/discovered-pools.ts'
import { createLogScan, type LogScan } from '../scan/log-scan.ts'
import { creationFilters, type SearchTarget } from '../search-scope.ts'
import type { IndexState } from '../state/index-state.ts'

/** Between passes over the whole chain. */
const passWaitSeconds = 6 * 3600
/** Requests of a minute: on an endpoint for 10,000 blocks a pass of 60 million takes 17 hours. */
const rangesPerStep = 6
const stepWaitMs = 60_000
/** After a fault, and between looks at lost pools. */
const reviewWaitMs = 600_000
/** The first seconds belong to following up. */
const firstWaitMs = 30_000
/** Delay while there is no cursor. */
const emptyWaitMs = 10_000
/** A search may be adding a pool; it is reported if the index lacks it for this long. */
const lostAfterSeconds = 600

type LostPool = {
  readonly venue: Address
  /** The token whose pools are searched again. */
  readonly token: Address
  readonly seenTs: UnixSeconds
  readonly isReported: boolean
}

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly clock: Clock
  readonly index: IndexState
  readonly logger: Logger
  readonly keccak256: Keccak256
  readonly venues: Venues
  readonly roles: TokenRoles
  readonly origin: BlockNumber
  /** The contracts whose pools the index follows. */
  readonly scope: () => readonly SearchTarget[]
  /** Pools that the index lacks and factories listed, with their venues. */
  readonly missingAtFactories: () => ReadonlyMap<PoolId, Address>
  /** Called with a token of each lost pool. */
  readonly searchAgain: (token: Address) => void
}

const unchecked = { pools: null, expected: null, checkedBlock: null }

/** A pass from the first block, which keeps what earlier ones have found of these venues. */
const restart = ({ venues, origin }: Deps, before: CoveragePass | null): CoveragePass => ({
  scannedTo: origin - 1,
  venues: [...venues.keys()].map((address) => {
    const row = before?.venues.find((venue) => venue.address === address)
    return { address, ...unchecked, ...row, found: 0, lost: 0 }
  }),
})

/** Continues a stored pass, unless it knows too little: other venues, or pools by number only. */
const continuePass = (deps: Deps, stored: CoveragePass | null): CoveragePass => {
  const isSame =
    stored !== null &&
    stored.venues.length === deps.venues.size &&
    stored.venues.every(({ address, lost }) => deps.venues.has(address) && lost === 0)
  return isSame ? stored : restart(deps, stored)
}

/** The pools of the index that creation logs report, and those that it lacks. */
const createFindings = (deps: Deps) => {
  const { index, roles, clock, logger, searchAgain } = deps
  const decode = createPoolLogDecoder({
    ...deps,
    findPool: () => undefined,
    onRejected: () => {},
  })
  const found = new Map<Address, number>()
  const lost = new Map<PoolId, LostPool>()

  const report = (id: PoolId, pool: LostPool): void => {
    const message = 'Coverage audit found a creation log of a pool that is not indexed'
    logger.warn(message, { pool: id, venue: pool.venue })
    lost.set(id, { ...pool, isReported: true })
    searchAgain(pool.token)
  }

  return {
    reset: (pass: CoveragePass): void => {
      lost.clear()
      for (const { address, found: count } of pass.venues) found.set(address, count)
    },
    add: (logs: readonly ChainLog[]): void => {
      for (const log of withoutRepeatedCreations(logs, deps.venues)) {
        const event = decode(log)
        if (event?.kind !== 'created' || !isIndexedPool(event.key, roles)) continue
        const { poolId, venue, key } = event
        found.set(venue, (found.get(venue) ?? 0) + 1)
        if (index.pools().numberOf(poolId) !== undefined) continue
        const token = roles.isStock(key.token0) ? key.token0 : key.token1
        lost.set(poolId, { venue, token, seenTs: clock.now(), isReported: false })
      }
    },
    /** Forgets the pools that the index has got, and has the others searched. */
    review: (): void => {
      for (const [id, pool] of lost) {
        if (index.pools().numberOf(id) !== undefined) lost.delete(id)
        else if (!pool.isReported && clock.now() - pool.seenTs >= lostAfterSeconds) report(id, pool)
      }
    },
    countAt: (venue: Address) => ({
      found: found.get(venue) ?? 0,
      lost: [...lost.values()].filter((pool) => pool.venue === venue).length,
    }),
    has: (id: PoolId): boolean => lost.has(id),
  }
}

/** Reads the creation logs of all venues once more, slowly (docs/methodology.md §7). */
export const createVenueAudit = (
  deps: Deps,
): { readonly step: () => Promise<StepResult>; readonly reset: () => void } => {
  const { chain, store, clock, index, logger, venues, origin, scope, missingAtFactories } = deps
  const scanDeps = { chain, onSingleEndpoint: createSingleEndpointWarning(logger) }
  const findings = createFindings(deps)
  let pass: CoveragePass | null = null
  let scan: LogScan | null = null
  let completeTs: UnixSeconds | null = null
  let isDue = false

  const begin = (next: CoveragePass): CoveragePass => {
    scan = null
    completeTs = null
    findings.reset(next)
    return next
  }

  /** The running pass: the stored one, or a new one if the last ended long ago. */
  const takePass = async (): Promise<CoveragePass> => {
    if (pass === null) {
      const header = await store.snapshot((snapshot) => snapshot.header())
      return begin(continuePass(deps, header?.coveragePass ?? null))
    }
    const isOver = completeTs !== null && clock.now() - completeTs >= passWaitSeconds
    return isOver ? begin(restart(deps, pass)) : pass
  }

  const openScan = ({ scannedTo }: CoveragePass, to: BlockRef): LogScan => {
    const targets = scope()
    const filters = creationFilters(targets, targets, venues)
    const range = { from: scannedTo + 1, to: to.block }
    const onLogs = (logs: readonly ChainLog[], done: BlockNumber): void => {
      findings.add(logs)
      if (pass !== null) pass = { ...pass, scannedTo: done }
    }
    return createLogScan({ filters, range, branchBlock: to, times: false, onLogs }, scanDeps)
  }

  /** What a pass has found replaces the earlier counts once it is as far as they were. */
  const publish = (current: CoveragePass): CoveragePass => {
    const unlogged = [...missingAtFactories()].filter(([id]) => !findings.has(id))
    const toRow = (row: VenuePass): VenuePass => {
      const { found, lost } = findings.countAt(row.address)
      if (current.scannedTo < (row.checkedBlock ?? origin)) return { ...row, found, lost }
      const others = unlogged.filter(([, venue]) => venue === row.address).length
      const counts = { pools: found - lost, expected: found + others }
      return { ...row, found, lost, ...counts, checkedBlock: current.scannedTo }
    }
    return { ...current, venues: current.venues.map(toRow) }
  }

  const read = async (current: LogScan): Promise<RpcFault | null> => {
    for (let ranges = 0; ranges < rangesPerStep && !current.isComplete(); ranges++) {
      const fault = await current.step()
      if (fault !== null) return fault
    }
    return null
  }

  const audit = async (to: BlockRef): Promise<StepResult> => {
    pass = await takePass()
    scan ??= openScan(pass, to)
    const fault = await read(scan)
    findings.review()
    pass = publish(pass)
    await store.recordCoveragePass(pass)
    if (fault !== null) {
      logger.warn('Failed to read creation logs for the coverage audit, will retry', fault)
    }
    if (fault === null && !scan.isComplete()) return { waitMs: stepWaitMs }
    if (fault === null) completeTs ??= clock.now()
    return { waitMs: reviewWaitMs }
  }

  return {
    step: async () => {
      const to = index.cursor()
      const hasStocks = scope().some(({ kind }) => kind === 'stock')
      if (to === null || !hasStocks) return { waitMs: emptyWaitMs }
      if (isDue) return audit(to)
      isDue = true
      return { waitMs: firstWaitMs }
    },
    reset: () => {
      pass = null
    },
  }
}
