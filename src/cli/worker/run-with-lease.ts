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
  /** Of the term under way; none while this process stands by. */
  readonly endpoints: RpcChainReader['endpoints']
  readonly close: () => Promise<void>
}

/** What fails because a term is over is no failure, and was told once already. */
const quietOnce = (isOver: () => boolean, logger: Logger): Logger => ({
  ...logger,
  warn: (...line) => (isOver() ? logger.debug : logger.warn)(...line),
  error: (...line) => (isOver() ? logger.debug : logger.error)(...line),
})

/**
 * Runs the index on a store that several processes share, whenever this one holds the lease. A
 * write that the lease forbids ends the term, and so does one of which nobody knows whether it is
 * stored.
 */
export const runWithLease = async (
  config: Config,
  target: SharedTarget,
  outside: IndexerHost & Pick<LeaderLoopDeps, 'onWaiting'>,
): Promise<SharedIndexer> => {
  const holder = `${hostname()}:${process.pid}`
  const parts = { holder, timer: systemTimer }
  const { lease, migrate, isLeaseLost, isInDoubt } = await openLease(target, parts)
  let working: OpenIndexer | null = null

  const open: LeaderLoopDeps['open'] = async (held, end) => {
    let isCutOff = false
    const onFault = (error: unknown): void => {
      if (isLeaseLost(error)) held.lose('another indexer has taken the lease')
      else if (isInDoubt(error)) {
        isCutOff = true
        end(`a write was cut off: ${String(error)}`)
      }
    }
    const logger = quietOnce(() => isCutOff || held.lost.aborted, outside.logger)
    const opened = await openIndexer(
      config,
      { ...outside, logger },
      {
        leaseGeneration: held.generation,
        wrap: (store) => observeWriteErrors(store, onFault),
      },
    )
    if (!opened.ok) return failure(opened.fault)
    const { value } = opened
    working = value
    const close = async (): Promise<void> => {
      working = null
      await value.close()
    }
    return success({ close })
  }

  const { logger, onWaiting } = outside
  const terms = startLeaderLoop({
    migrate,
    acquire: lease.acquire,
    open,
    logger,
    timer: systemTimer,
    onWaiting,
  })
  return {
    endpoints: () => working?.endpoints() ?? [],
    close: async () => {
      await terms.stop()
      lease.close()
    },
  }
}
