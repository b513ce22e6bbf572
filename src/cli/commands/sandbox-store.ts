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
 * Every new sandbox chain is another chain. A store that holds an earlier one is worth nothing any
 * more, so it makes room; on any other network it would be refused instead.
 */
export const removeOldSandboxStore = async (config: Config, logger: Logger): Promise<void> => {
  if (config.store.kind !== 'sqlite' || !existsSync(config.store.path)) return
  const stopping = new AbortController()
  const { chain } = createAdapters(config, { logger, signal: stopping.signal })
  const origin = await chain.getBlockRef(toIndexedNetwork(config).origin)
  const stored = await storedOrigin(config, logger)
  if (!origin.ok || stored === null || stored === origin.value.hash) return
  logger.info('The store holds an earlier sandbox chain; it is begun anew')
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(`${config.store.path}${suffix}`, { force: true })
}
