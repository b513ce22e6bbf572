import { join } from 'node:path'
import type { OpenedSandbox } from '../../sandbox/open-sandbox.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StatusView } from '../../src/domain/views/service.ts'
import { eventually } from '../service/api.ts'
import { clientOf, launch, stop } from '../service/launch.ts'
import { startPostgres } from '../setup/postgres.ts'

export const storeKinds = ['sqlite', 'postgres'] as const

const openStore = async (kind: (typeof storeKinds)[number], directory: string) => {
  if (kind === 'sqlite') {
    return { url: `sqlite:${join(directory, 'verified.db')}`, dispose: async () => {} }
  }
  const postgres = await startPostgres()
  return { url: await postgres.createDatabase(), dispose: postgres.dispose }
}

/** Tokens are read in the background: what no contract has answered for has no symbol either. */
const isRead = ({ otherSymbol, statusReasons }: PoolView): boolean =>
  otherSymbol !== null || !statusReasons.includes('decimals_unknown')

/** A service of its own on an empty store of this kind, with this block and all tokens. */
export const serveIndexed = async (
  { networkFile }: OpenedSandbox,
  {
    kind,
    directory,
    block,
  }: {
    readonly kind: (typeof storeKinds)[number]
    readonly directory: string
    readonly block: number
  },
) => {
  const store = await openStore(kind, directory)
  const ports = ['--port', '0', '--rate-limit', '0']
  const environment = { STOCKPOOLS_STORE: store.url }
  const args = ['start', '--network', networkFile, ...ports]
  const running = launch(args, { directory, environment })
  const api = await clientOf(running)
  await eventually(
    () => api.read<StatusView>('/api/v1/status'),
    ({ chain, sources }) =>
      (chain.indexedBlock ?? 0) >= block && sources.every(({ state }) => state === 'ok'),
  )
  await eventually(
    () => api.readAll<PoolView>('/api/v1/pools'),
    (rows) => rows.every(isRead),
  )
  return {
    store: store.url,
    /** Ends the service; the store stays. */
    end: () => stop(running),
    dispose: store.dispose,
    url: api.baseUrl,
  }
}
