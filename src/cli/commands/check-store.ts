import { type Outcome, success } from '../../domain/outcome.ts'
import { systemTimer } from '../../net/timer.ts'
import { type OpenReader, openStore, openStoreReader } from '../compose/open-store.ts'
import { createRetryingReader } from '../compose/retrying-reader.ts'
import { checkSharedStore } from '../compose/shared-store.ts'
import type { CommandContext } from '../context.ts'

/**
 * Finds out at once what is wrong with the store, in one line; null if nothing is that waiting
 * would not mend. A file is made here, so that there is one to read from. A database that is away
 * is waited for: whoever serves answers from the first snapshot on, and says so until then.
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
      logger.warn('The store cannot be reached yet; it is waited for', { reason: reach.fault })
    }
    return null
  }
  if (role === 'api') return null
  const made = await openStore(store, { leaseGeneration: null, logger })
  if (!made.ok) return made.fault
  await made.value.close()
  return null
}

/** For whoever serves. Only a file that can not be opened is a fault. */
export const openReader = async ({
  config,
  logger,
}: CommandContext): Promise<Outcome<OpenReader, string>> => {
  const open = () => openStoreReader(config.store, logger)
  return config.store.kind === 'postgres'
    ? success(createRetryingReader(open, systemTimer))
    : open()
}
