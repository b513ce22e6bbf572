import { existsSync, rmSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Logger } from '../../ports/runtime.ts'
import { createAdapters } from '../compose/adapters.ts'
import { toIndexedNetwork } from '../compose/network.ts'
import { openStoreReader } from '../compose/open-store.ts'

const storedOrigin = async (config: Config, logger: Logger): Promise<string | null> => {
  const store = await openStoreReader(config.store, logger)
  if (!store.ok) return null
  const header = await store.value.snapshot((snapshot) => snapshot.header())
  await store.value.close()
  return header?.identity.originHash ?? null
}

/**
 * Removes the store of an earlier sandbox chain, because every new sandbox is another chain. On
 * other networks such a store is rejected instead.
 */
export const removeOldSandboxStore = async (config: Config, logger: Logger): Promise<void> => {
  if (config.store.kind !== 'sqlite' || !existsSync(config.store.path)) return
  const stopping = new AbortController()
  const { chain } = createAdapters(config, { logger, signal: stopping.signal })
  const origin = await chain.getBlockRef(toIndexedNetwork(config).origin)
  const stored = await storedOrigin(config, logger)
  if (!origin.ok || stored === null || stored === origin.value.hash) return
  logger.info('Removed the store of an earlier sandbox chain')
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(`${config.store.path}${suffix}`, { force: true })
}
