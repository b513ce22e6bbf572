import { hostname } from 'node:os'
import type { Config } from '../../config/config.ts'
import { failure, success } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { RpcChainReader } from '../../rpc/chain-reader.ts'
import { openLease, type SharedTarget } from '../compose/shared-store.ts'
import { type LeaderLoopDeps, startLeaderLoop } from './leader-loop.ts'
import { observeWriteErrors } from './observe-write-errors.ts'
import { type IndexerHost, type OpenIndexer, openIndexer } from './run-indexer.ts'

export type SharedIndexer = {
  /** Endpoints of the current session; none while on standby. */
  readonly endpoints: RpcChainReader['endpoints']
  readonly close: () => Promise<void>
}

/** Logs at debug level once the session is over: its failures are expected. */
const quietAfterEnd = (isOver: () => boolean, logger: Logger): Logger => ({
  ...logger,
  warn: (...line) => (isOver() ? logger.debug : logger.warn)(...line),
  error: (...line) => (isOver() ? logger.debug : logger.error)(...line),
})

/**
 * Indexes into a store of several processes while this one holds the lease. A lost lease or an
 * in-doubt write ends the session.
 */
export const runWithLease = async (
  config: Config,
  target: SharedTarget,
  host: IndexerHost & Pick<LeaderLoopDeps, 'onWaiting'>,
): Promise<SharedIndexer> => {
  const holder = `${hostname()}:${process.pid}`
  const parts = { holder, timer: systemTimer }
  const { lease, migrate, isLeaseLost, isInDoubt } = await openLease(target, parts)
  let running: OpenIndexer | null = null

  const open: LeaderLoopDeps['open'] = async (held, end) => {
    let hasInDoubtWrite = false
    const onFault = (error: unknown): void => {
      if (isLeaseLost(error)) held.lose('another indexer took over the lease')
      else if (isInDoubt(error)) {
        hasInDoubtWrite = true
        end(`write in doubt: ${String(error)}`)
      }
    }
    const logger = quietAfterEnd(() => hasInDoubtWrite || held.lost.aborted, host.logger)
    const opened = await openIndexer(
      config,
      { ...host, logger },
      {
        leaseGeneration: held.generation,
        wrap: (store) => observeWriteErrors(store, onFault),
      },
    )
    if (!opened.ok) return failure(opened.fault)
    const { value } = opened
    running = value
    const close = async (): Promise<void> => {
      running = null
      await value.close()
    }
    return success({ close })
  }

  const { logger, onWaiting } = host
  const loop = startLeaderLoop({
    migrate,
    acquire: lease.acquire,
    open,
    logger,
    timer: systemTimer,
    onWaiting,
  })
  return {
    endpoints: () => running?.endpoints() ?? [],
    close: async () => {
      await loop.stop()
      lease.close()
    },
  }
}
