import { existsSync, readFileSync } from 'node:fs'
import type { Role } from '../../config/config.ts'
import type { StoreTarget } from '../../config/options.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Progress } from '../../log/progress.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Shutdown } from '../shutdown.ts'

const dataDir = './data/sandbox'

const phaseTexts = {
  compile: 'sandbox: compiling contracts',
  resume: 'sandbox: loading the saved chain',
  deploy: 'sandbox: deploying',
  past: 'sandbox: simulating a day of trading',
  start: 'sandbox: starting',
} as const

/** Beside the sources: the sandbox and its contracts are not part of a package. */
const sandboxUrl = new URL('../../../sandbox/open-sandbox.ts', import.meta.url)

/** Why there can be no sandbox here; null: there can. */
export const findSandboxFault = (): string | null =>
  existsSync(sandboxUrl)
    ? null
    : 'this installation has no sandbox: name a network (--network robinhood, --network base or ' +
      '--network <file>), or run "npm start" in a clone of the repository'

type Deps = {
  readonly progress: Progress
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly stop: AbortSignal
}

/** Other stores are not looked into: reading the logs again is always right. */
const isNewStore = (store: StoreTarget): boolean =>
  store.kind !== 'sqlite' || !existsSync(store.path)

const openChain = async (store: StoreTarget, deps: Deps): Promise<Outcome<string, string>> => {
  const { progress, logger, shutdown, stop } = deps
  try {
    // Imported on demand: the sandbox is not part of every installation.
    const { openSandbox } = await import('../../../sandbox/open-sandbox.ts')
    const sandbox = await openSandbox({
      dataDir,
      signal: stop,
      // A new store requires all logs, but a long-running chain drops its first ones.
      needsAllLogs: isNewStore(store),
      onProgress: (step) => {
        if (!('total' in step)) return
        const { phase, done, total } = step
        progress.bootstrap({ phase: phaseTexts[phase], done, total, events: null })
      },
      onEnd: (reason) =>
        logger.error('Sandbox chain stopped, data is no longer updated', { reason }),
    })
    shutdown.add(sandbox.stop)
    return success(sandbox.networkFile)
  } catch (error) {
    return failure(`sandbox chain failed to start: ${String(error)}`)
  }
}

/**
 * Reads the network file of the sandbox. An indexing role starts the sandbox or joins a running
 * one; the API uses the sandbox of another process.
 */
export const readSandboxNetwork = async (
  role: Role,
  store: StoreTarget,
  deps: Deps,
): Promise<Outcome<string, string>> => {
  const path = role === 'api' ? success(`${dataDir}/network.json`) : await openChain(store, deps)
  if (!path.ok) return path
  try {
    return success(readFileSync(path.value, 'utf8'))
  } catch {
    return failure('no sandbox is running here: start "stockpools index" first')
  }
}
