import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { join, resolve } from 'node:path'
import { defaultDataDir, defaultSettings, type Settings, settingsAsFlags } from './options.ts'
import { askStatus, type RunningStatus, waitForRunning } from './process/find-running.ts'
import { endProcess, waitForEnd } from './process/processes.ts'
import type { Progress, Ready } from './progress.ts'

export type OpenOptions = {
  readonly dataDir?: string
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<Settings>
  readonly onProgress?: (progress: Progress) => void
  /** Called when the sandbox ends without `stop()`. */
  readonly onEnd?: (reason: string) => void
  /**
   * True for a reader with an empty store: a chain whose first logs were dropped is then replaced
   * by a new one.
   */
  readonly needsAllLogs?: boolean
  /** Aborts and ends a sandbox that is starting. */
  readonly signal?: AbortSignal
}

export type OpenedSandbox = {
  /** Path of the network file, complete with the addresses and ports of this run. */
  readonly networkFile: string
  readonly manifest: string
  readonly controlUrl: string
  readonly genesisHash: string
  /** True if a running sandbox was found. */
  readonly reused: boolean
  /**
   * Ends the sandbox unless another process also owns it. Its chain is saved and resumed by the
   * next start.
   */
  readonly stop: () => Promise<void>
}

/** Wait after SIGTERM; a large chain may still be writing its state afterwards. */
const stopMillisMax = 3_000
const askMillisMax = 1_000
const replaceMillisMax = 12_000
const errorTextMax = 2_000

/** Halves the memory of a process that allocates mostly at its start. */
const nodeFlags = ['--max-semi-space-size=4']

/**
 * Finds the sandbox that runs in the data directory, or starts one and waits until it is ready.
 * Rejects with the reason if that fails or the signal aborts it.
 */
export async function openSandbox(options: OpenOptions = {}): Promise<OpenedSandbox> {
  const dataDir = resolve(options.dataDir ?? defaultDataDir)
  const settings = { ...defaultSettings, ...options.settings }
  const found = await waitForRunning(dataDir)
  if (found) {
    const status = found.controlUrl && (await askStatus(found.controlUrl))
    if (status && isUsable(status, found.pid, settings, options)) return attachTo(status, options)
    // It is stopping, hangs or has other settings: replace it.
    await endProcess(found.pid, replaceMillisMax)
  }
  return startNew(dataDir, settings, options)
}

function isUsable(
  status: RunningStatus,
  pid: number,
  settings: Settings,
  { needsAllLogs = false }: OpenOptions,
): boolean {
  const isSame = JSON.stringify(status.settings) === JSON.stringify(settings)
  return status.pid === pid && isSame && (status.whole || !needsAllLogs)
}

/** Registers this process as an owner by an open stream. */
function attachTo(status: RunningStatus, options: OpenOptions): Promise<OpenedSandbox> {
  const stopper = createStopper(options)
  return new Promise((resolveOpened, reject) => {
    const request = get(`${status.controlUrl}/attach`, (response) => {
      response.resume()
      response.once('close', () => stopper.reportEnd('the sandbox closed the connection'))
      resolveOpened({
        ...pickOpened(status),
        reused: true,
        stop: async () => {
          await stopper.ask(status)
          request.destroy()
        },
      })
    })
    request.once('error', reject)
  })
}

async function startNew(
  dataDir: string,
  settings: Settings,
  options: OpenOptions,
): Promise<OpenedSandbox> {
  const main = join(import.meta.dirname, 'main.ts')
  const flags = ['--data-dir', dataDir, ...settingsAsFlags(settings)]
  // Its own process group: Ctrl-C reaches the service, which then stops the sandbox.
  const child = spawn(process.execPath, [...nodeFlags, main, ...flags], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const stopper = createStopper(options)
  const abort = (): void => {
    child.kill('SIGTERM')
  }
  options.signal?.addEventListener('abort', abort, { once: true })
  try {
    const ready = await untilReady(child, options)
    const target = { pid: child.pid as number, controlUrl: ready.controlUrl }
    child.once('exit', () => stopper.reportEnd('the sandbox ended'))
    return { ...pickOpened(ready), reused: false, stop: () => stopper.ask(target) }
  } finally {
    options.signal?.removeEventListener('abort', abort)
  }
}

function untilReady(child: ChildProcess, { onProgress, signal }: OpenOptions): Promise<Ready> {
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-errorTextMax)
  })
  return new Promise((resolveReady, reject) => {
    if (signal?.aborted) child.kill('SIGTERM')
    child.on('message', (message) => {
      const progress = message as Progress
      onProgress?.(progress)
      if (progress.phase === 'ready') resolveReady(progress)
      if (progress.phase === 'failed') reject(new Error(progress.reason))
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      const how = signal?.aborted ? 'stopped' : `the sandbox ended with code ${code}`
      reject(new Error(`${how} ${errors.trim()}`.trim()))
    })
  })
}

/** Reports only an end that this process did not request. */
function createStopper({ onEnd }: OpenOptions) {
  let isRequested = false
  return {
    reportEnd: (reason: string): void => {
      if (!isRequested) onEnd?.(reason)
    },
    ask: async ({ pid, controlUrl }: Pick<RunningStatus, 'pid' | 'controlUrl'>): Promise<void> => {
      isRequested = true
      // Another owner still uses it; the last owner ends it.
      const status = await askStatus(controlUrl, askMillisMax)
      if (status !== null && status.holders > 1) return
      try {
        process.kill(pid, 'SIGTERM')
      } catch {
        return
      }
      await waitForEnd(pid, stopMillisMax)
    },
  }
}

const pickOpened = ({ networkFile, manifest, controlUrl, genesisHash }: RunningStatus | Ready) => ({
  ...{ networkFile, manifest, controlUrl, genesisHash },
})
