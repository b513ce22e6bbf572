import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Abi, Hex } from 'viem'
import { readJson, writeJson } from '../files.ts'
import { pathInPackage } from './packages.ts'

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** The sandbox's own contracts by name. */
export type OwnArtifacts = Readonly<Record<string, Artifact>>

export type Sources = Readonly<Record<string, string>>

const contractsDir = join(import.meta.dirname, '..', 'contracts')

/** Beside the packages: a process that can write there can change the code anyway. */
const cacheDir = join(import.meta.dirname, '../../node_modules/.cache/stockpools')

/** Uniswap's libraries of swaps, by which our pools of Slipstream compute (MIT). */
const libraries = [
  ...['BitMath', 'CustomRevert', 'FixedPoint96', 'FullMath', 'LiquidityMath', 'SafeCast'],
  ...['SqrtPriceMath', 'SwapMath', 'TickBitmap', 'TickMath', 'UnsafeMath'],
].map((name) => `@uniswap/v4-core/src/libraries/${name}.sol`)

export function readSources(): Sources {
  const files = readdirSync(contractsDir).filter((file) => file.endsWith('.sol'))
  return Object.fromEntries([
    ...files.sort().map((file) => [file, readFileSync(join(contractsDir, file), 'utf8')]),
    ...libraries.map((path) => [path, readFileSync(pathInPackage(path), 'utf8')]),
  ])
}

export const hashSources = (sources: Sources): string =>
  createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)

/** Reuses the last result of the same sources, if the cache can be written. */
export async function compileContracts(sources = readSources()): Promise<OwnArtifacts> {
  const cachePath = join(cacheDir, `contracts-${hashSources(sources)}.json`)
  const cached = readJson(cachePath) as OwnArtifacts | null
  if (cached) return cached
  const compiled = await compileInWorker(sources)
  try {
    writeJson(cachePath, compiled)
  } catch {
    // A read-only installation compiles at each start.
  }
  return compiled
}

/** In a worker, because the compiler blocks its thread for two seconds. */
function compileInWorker(sources: Sources): Promise<OwnArtifacts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
      workerData: sources,
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the compiler exited without a result')))
  })
}
