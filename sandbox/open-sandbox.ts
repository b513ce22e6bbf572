import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { join, resolve } from 'node:path'
import { defaultDataDir, defaultSettings, type Settings, settingsAsFlags } from './options.ts'
import { askStatus, type RunningStatus, waitForRunning } from './process/find-running.ts'
import { endProcess, waitForEnd } from './process/processes.ts'
import type { Progress, Ready } from './progress.ts'

export type OpenInput = {
  readonly dataDir?: string
  /** What differs from the defaults. */
  readonly settings?: Partial<Settings>
  readonly onProgress?: (progress: Progress) => void
  /** Called when the sandbox ends without `stop()`. */
  readonly onEnd?: (reason: string) => void
  /**
   * True for a reader that begins with an empty store: a chain so old that its node has dropped
   * the first logs is then replaced by a new one.
   */
  readonly needsAllLogs?: boolean
  /** Gives up, and ends what was begun. */
  readonly signal?: AbortSignal
}

export type OpenedSandbox = {
  /** Path of the network file, complete with the addresses and ports of this run. */
  readonly networkFile: string
  readonly manifest: string
  readonly controlUrl: string
  readonly genesisHash: string
  /** A living sandbox was found and taken over. */
  readonly reused: boolean
  /**
   * Ends it in order, unless another process holds it as well; its chain is saved and goes on at
   * the next start.
   */
  readonly stop: () => Promise<void>
}

/** An orderly stop is asked for; a large chain may go on writing its state after that. */
const stopMillisMax = 3_000
const askMillisMax = 1_000
const replaceMillisMax = 12_000
const errorTextMax = 2_000

/** Halves the memory of a process that makes much garbage at first and little afterwards. */
const nodeFlags = ['--max-semi-space-size=4']

/**
 * Finds the sandbox that lives in the data directory, or starts one and waits until it is ready.
 * Rejects with the reason when that fails or the signal comes first.
 */
export async function openSandbox(input: OpenInput = {}): Promise<OpenedSandbox> {
  const dataDir = resolve(input.dataDir ?? defaultDataDir)
  const settings = { ...defaultSettings, ...input.settings }
  const found = await waitForRunning(dataDir)
  if (found) {
    const status = found.controlUrl && (await askStatus(found.controlUrl))
    if (status && isUsable(status, found.pid, settings, input)) return adopt(status, input)
    // Stopping, hanging, or not what is wanted: its place is needed.
    await endProcess(found.pid, replaceMillisMax)
  }
  return startNew(dataDir, settings, input)
}

function isUsable(
  status: RunningStatus,
  pid: number,
  settings: Settings,
  { needsAllLogs = false }: OpenInput,
): boolean {
  const isSame = JSON.stringify(status.settings) === JSON.stringify(settings)
  return status.pid === pid && isSame && (status.whole || !needsAllLogs)
}

/** Holds a stream open: as long as it stands, the sandbox has an owner. */
function adopt(status: RunningStatus, input: OpenInput): Promise<OpenedSandbox> {
  const ending = createEnding(input)
  return new Promise((resolveOpened, reject) => {
    const request = get(`${status.controlUrl}/attach`, (response) => {
      response.resume()
      response.once('close', () => ending.noticed('the sandbox is gone'))
      resolveOpened({
        ...openedOf(status),
        reused: true,
        stop: async () => {
          await ending.ask(status)
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
  input: OpenInput,
): Promise<OpenedSandbox> {
  const main = join(import.meta.dirname, 'main.ts')
  const flags = ['--data-dir', dataDir, ...settingsAsFlags(settings)]
  // A group of its own: Ctrl-C reaches the service, which then ends the sandbox in order.
  const child = spawn(process.execPath, [...nodeFlags, main, ...flags], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ending = createEnding(input)
  const abort = (): void => {
    child.kill('SIGTERM')
  }
  input.signal?.addEventListener('abort', abort, { once: true })
  try {
    const ready = await untilReady(child, input)
    const place = { pid: child.pid as number, controlUrl: ready.controlUrl }
    child.once('exit', () => ending.noticed('the sandbox ended'))
    return { ...openedOf(ready), reused: false, stop: () => ending.ask(place) }
  } finally {
    input.signal?.removeEventListener('abort', abort)
  }
}

function untilReady(child: ChildProcess, { onProgress, signal }: OpenInput): Promise<Ready> {
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

/** Tells an end that was asked for from one that was not. */
function createEnding({ onEnd }: OpenInput) {
  let asked = false
  return {
    noticed: (reason: string): void => {
      if (!asked) onEnd?.(reason)
    },
    ask: async ({ pid, controlUrl }: Pick<RunningStatus, 'pid' | 'controlUrl'>): Promise<void> => {
      asked = true
      // Another process that has found it still needs it: the last one ends it.
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

const openedOf = ({ networkFile, manifest, controlUrl, genesisHash }: RunningStatus | Ready) => ({
  ...{ networkFile, manifest, controlUrl, genesisHash },
})
