import { existsSync, readFileSync } from 'node:fs'
import type { Role } from '../../config/config.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Progress } from '../../log/progress.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Shutdown } from '../shutdown.ts'

const dataDir = './data/sandbox'
const storePath = './data/sandbox.db'

/** What the sandbox is at, for whoever waits. */
const phaseTexts = {
  compile: 'sandbox: compiling contracts',
  resume: 'sandbox: taking up the saved chain',
  deploy: 'sandbox: deploying',
  past: 'sandbox: making a day of trading',
  start: 'sandbox: starting',
} as const

type Deps = {
  readonly progress: Progress
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly stop: AbortSignal
}

const openChain = async (deps: Deps): Promise<Outcome<string, string>> => {
  const { progress, logger, shutdown, stop } = deps
  try {
    // Only when it is wanted: what follows a live chain is installed without it.
    const { openSandbox } = await import('../../../sandbox/open-sandbox.ts')
    const sandbox = await openSandbox({
      dataDir,
      signal: stop,
      // A chain that has dropped its first logs is of no use to a store that begins.
      needsAllLogs: !existsSync(storePath),
      onProgress: (step) => {
        if (!('total' in step)) return
        const { phase, done, total } = step
        progress.bootstrap({ phase: phaseTexts[phase], done, total, events: null })
      },
      onEnd: (reason) => logger.error('The sandbox chain ended; what is known ages', { reason }),
    })
    shutdown.add(sandbox.stop)
    return success(sandbox.networkFile)
  } catch (error) {
    return failure(`the sandbox chain did not start: ${String(error)}`)
  }
}

/**
 * The network file of the sandbox: for whoever indexes, of one that is started or found running;
 * for a process that only serves, of the one that another process runs.
 */
export const readSandboxNetwork = async (
  role: Role,
  deps: Deps,
): Promise<Outcome<string, string>> => {
  const path = role === 'api' ? success(`${dataDir}/network.json`) : await openChain(deps)
  if (!path.ok) return path
  try {
    return success(readFileSync(path.value, 'utf8'))
  } catch {
    return failure('no sandbox has been started here: run "stockpools index" beside it first')
  }
}
