import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { nowSeconds, sleep } from '../clock.ts'
import { readJson, removeFiles, writeJson } from '../files.ts'
import { endProcess, isAlive, readCommandLine } from '../process/processes.ts'
import { removeTraces } from './remove-traces.ts'
import { createRpc, type Rpc } from './rpc.ts'

export const chainId = 466_300

/** `finalized` is two epochs behind the head, `safe` one: 64 and 32 blocks. */
const slotsInEpoch = 32

/**
 * States kept for calls pinned to a past block: 50 s at four blocks a second, enough for many calls
 * at the confirmed head (20 behind). Each state is a full copy of the storage.
 */
const statesKept = 200

/**
 * Blocks whose transactions and logs are kept, a little over four hours; bounds the memory of a
 * sandbox that runs for days. A swap takes about 12 KB even without its call trace.
 */
export const transactionBlocksKept = 60_000

/** High enough for many swaps or a deployment in one block. */
const gasLimit = 1_000_000_000

/** Of the deployer, feeds and providers, wash bots, and thirty honest traders. */
const accountsCount = 40

const readyMillisMax = 20_000

export type AnvilOptions = {
  readonly port: number
  /** Timestamp of block 0 of a new chain; ignored if a saved state is loaded. */
  readonly genesisTs: number
  readonly loadPath: string | null
  /** Path of the state that the process writes when it ends. */
  readonly dumpPath: string
  /** Records the process, so that the next start can end an orphan. */
  readonly pidPath: string
}

export type Anvil = {
  readonly pid: number
  readonly rpc: Rpc
  /** Resolves with a reason if the process ends by itself. */
  readonly died: Promise<string>
  /** Stops the process; true if it wrote its state. */
  readonly stop: (politeMillis: number) => Promise<boolean>
}

export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  if (options.loadPath) removeTraces(options.loadPath)
  const child = spawn(anvilBinary(), flagsOf(options), {
    // Its own process group: Ctrl-C reaches the owner, which then stops it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = watch(child)
  const pid = child.pid
  if (pid === undefined) throw new Error(`anvil did not start: ${(await ended).reason}`)
  writeJson(options.pidPath, { pid, port: options.port, startedTs: nowSeconds() })
  const rpc = createRpc(`http://127.0.0.1:${options.port}`)
  await untilReady(rpc, ended)
  return { pid, rpc, died: ended.then((end) => end.reason), stop: createStop(pid, ended) }
}

/** Ends an anvil that a killed sandbox recorded behind. */
export async function endOrphanedAnvil(pidPath: string): Promise<void> {
  const pid = recordedPid(pidPath)
  if (pid !== null) await endProcess(pid, 1_000)
  removeFiles([pidPath])
}

/** Kills the recorded anvil at once, for a process that is exiting. */
export function killRecordedAnvil(pidPath: string): void {
  const pid = recordedPid(pidPath)
  if (pid !== null) process.kill(pid, 'SIGKILL')
  removeFiles([pidPath])
}

function recordedPid(pidPath: string): number | null {
  const recorded = readJson(pidPath) as { pid?: unknown; port?: unknown } | null
  if (typeof recorded?.pid !== 'number' || !isAlive(recorded.pid)) return null
  const command = readCommandLine(recorded.pid)
  // A reused pid belongs to another process, so the command line must match.
  const isAnvil = command.includes('anvil') && command.includes(`--port ${String(recorded.port)} `)
  return isAnvil ? recorded.pid : null
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Path of the platform's binary; the npm wrapper would hide its pid. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const require = createRequire(import.meta.url)
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  return join(dirname(require.resolve(`${name}/package.json`)), 'bin', file)
}

function flagsOf(options: AnvilOptions): string[] {
  const flags: Record<string, string | number> = {
    port: options.port,
    'chain-id': chainId,
    accounts: accountsCount,
    'slots-in-an-epoch': slotsInEpoch,
    'prune-history': statesKept,
    'transaction-block-keeper': transactionBlocksKept,
    // From Prague on each block stores its parent's hash in a contract (EIP-2935), and hashing
    // those 8,191 slots again for every state root costs 7 ms a block. Uniswap v4 needs Cancun.
    hardfork: 'cancun',
    'gas-limit': gasLimit,
    'block-base-fee-per-gas': 0,
    'gas-price': 0,
    order: 'fifo',
    timestamp: options.genesisTs,
    // Unused, but created; the default is in the user's home directory.
    'cache-path': join(dirname(options.pidPath), 'anvil-cache'),
    'dump-state': options.dumpPath,
  }
  if (options.loadPath) flags['load-state'] = options.loadPath
  const pairs = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)])
  return [...pairs, '--no-mining', '--disable-min-priority-fee', '--quiet']
}

type End = { readonly reason: string; readonly orderly: boolean }

function watch(child: ChildProcess): Promise<End> {
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-500)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ reason: error.message, orderly: false }))
    child.once('exit', (code, signal) => {
      const how = signal ? `by ${signal}` : `with code ${code}`
      resolve({ reason: `anvil ended ${how} ${errors.trim()}`.trim(), orderly: code === 0 })
    })
  })
}

async function untilReady(rpc: Rpc, ended: Promise<End>): Promise<void> {
  for (let waited = 0; waited < readyMillisMax; waited += 20) {
    const answer = rpc.call('eth_chainId').then(
      () => 'ready' as const,
      () => sleep(20).then(() => 'not yet' as const),
    )
    const outcome = await Promise.race([answer, ended])
    if (outcome === 'ready') return
    if (outcome !== 'not yet') throw new Error(outcome.reason)
  }
  throw new Error(`anvil did not respond within ${readyMillisMax / 1000} s`)
}

function createStop(pid: number, ended: Promise<End>) {
  return async (politeMillis: number): Promise<boolean> => {
    await endProcess(pid, politeMillis)
    return (await ended).orderly
  }
}
