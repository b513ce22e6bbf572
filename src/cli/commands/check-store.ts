import { type Outcome, success } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import { type OpenReader, openStore, openStoreReader } from '../compose/open-store.ts'
import { createRetryingReader } from '../compose/retrying-reader.ts'
import { checkSharedStore } from '../compose/shared-store.ts'
import type { CommandContext } from '../context.ts'

/**
 * Returns why the store cannot be used, in one line, or null. Creates a missing file, so that the
 * API can open it. An unreachable database is not an error: the service waits for it.
 */
export const checkStore = async ({
  config,
  role,
  logger,
}: CommandContext): Promise<string | null> => {
  const { store } = config
  if (store.kind === 'postgres') {
    const reach = await checkSharedStore(store)
    if (reach.kind === 'refused') return reach.fault
    if (reach.kind === 'away') {
      logger.warn('Store is unavailable, waiting for it', { reason: reach.fault })
    }
    return null
  }
  if (role === 'api') return null
  const opened = await openStore(store, { leaseGeneration: null, logger })
  if (!opened.ok) return opened.fault
  await opened.value.close()
  return null
}

/** Opens the store for the API. Only a file that cannot be opened is a fault. */
export const openReader = async ({
  config,
  logger,
}: CommandContext): Promise<Outcome<OpenReader, string>> => {
  const open = () => openStoreReader(config.store, logger)
  return config.store.kind === 'postgres'
    ? success(createRetryingReader(open, systemTimer))
    : open()
}
