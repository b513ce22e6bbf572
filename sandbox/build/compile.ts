import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Abi, Hex } from 'viem'
import { readJson, writeJson } from '../files.ts'

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** The sandbox's own contracts by name. */
export type OwnArtifacts = Readonly<Record<string, Artifact>>

export type Sources = Readonly<Record<string, string>>

const contractsDir = join(import.meta.dirname, '..', 'contracts')

export function readSources(): Sources {
  const files = readdirSync(contractsDir).filter((file) => file.endsWith('.sol'))
  return Object.fromEntries(
    files.sort().map((file) => [file, readFileSync(join(contractsDir, file), 'utf8')]),
  )
}

export const hashSources = (sources: Sources): string =>
  createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)

/** Compiles `contracts/`; reuses the last result if no source has changed. */
export async function compileContracts(cacheDir: string): Promise<OwnArtifacts> {
  const sources = readSources()
  const cachePath = join(cacheDir, `contracts-${hashSources(sources)}.json`)
  const cached = readJson(cachePath) as OwnArtifacts | null
  if (cached) return cached
  const compiled = await compileInWorker(sources)
  writeJson(cachePath, compiled)
  return compiled
}

/** Compiles in a worker, because the compiler blocks its thread for two seconds. */
export function compileInWorker(sources: Sources): Promise<OwnArtifacts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
      workerData: sources,
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the compiler exited without a result')))
  })
}
