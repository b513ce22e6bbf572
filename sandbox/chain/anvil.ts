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
 * States kept for calls pinned to a past block: 50 s at four blocks a second, so that a reader of
 * the confirmed head (20 behind) has time for many calls. Each is a full copy of all storage.
 */
const statesKept = 200

/**
 * Blocks whose transactions and logs are kept, a little over four hours: it bounds the memory of a
 * sandbox that runs for days. A swap takes some 12 KB even without its call trace.
 */
export const transactionBlocksKept = 60_000

/** Many swaps and whole deployments fit into one block. */
const gasLimit = 1_000_000_000

const readyMillisMax = 20_000

export type AnvilOptions = {
  readonly port: number
  /** Of block 0 of a new chain; ignored when a saved state is loaded. */
  readonly genesisTs: number
  readonly loadPath: string | null
  /** Written when the process is asked to end. */
  readonly dumpPath: string
  /** Remembers the process, so that the next start can end an orphan. */
  readonly pidPath: string
}

export type Anvil = {
  readonly pid: number
  readonly rpc: Rpc
  /** Settles with a reason when the process ends without being asked. */
  readonly died: Promise<string>
  /** Ends the process in order; true if it wrote its state. */
  readonly stop: (politeMillis: number) => Promise<boolean>
}

export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  if (options.loadPath) removeTraces(options.loadPath)
  const child = spawn(anvilBinary(), flagsOf(options), {
    // A group of its own: Ctrl-C on the terminal reaches the owner, who then ends it in order.
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

/** Ends an anvil left behind by a sandbox that was killed, and nothing else. */
export async function endOrphanedAnvil(pidPath: string): Promise<void> {
  const pid = recordedPid(pidPath)
  if (pid !== null) await endProcess(pid, 1_000)
  removeFiles([pidPath])
}

/** The same at once, for a process that is about to exit; nothing is saved. */
export function killRecordedAnvil(pidPath: string): void {
  const pid = recordedPid(pidPath)
  if (pid !== null) process.kill(pid, 'SIGKILL')
  removeFiles([pidPath])
}

function recordedPid(pidPath: string): number | null {
  const left = readJson(pidPath) as { pid?: unknown; port?: unknown } | null
  if (typeof left?.pid !== 'number' || !isAlive(left.pid)) return null
  const command = readCommandLine(left.pid)
  // A recycled pid belongs to somebody else: the command line must be that very anvil's.
  const isOurs = command.includes('anvil') && command.includes(`--port ${String(left.port)} `)
  return isOurs ? left.pid : null
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

/** The binary inside the npm package for this platform; npm's own wrapper would hide its pid. */
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
    // Never used while states are only kept in memory, but made, and by default in the user's home.
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
  throw new Error(`anvil did not answer within ${readyMillisMax / 1000} s`)
}

function createStop(pid: number, ended: Promise<End>) {
  return async (politeMillis: number): Promise<boolean> => {
    await endProcess(pid, politeMillis)
    return (await ended).orderly
  }
}
