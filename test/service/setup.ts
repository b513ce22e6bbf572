import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startService } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the running service, without a slash at the end. */
    readonly baseUrl: string
    /** What the service made under its working directory's `data/sandbox`. */
    readonly sandboxDir: string
  }
}

const waitMs = 500
/** Takes ten seconds; only what never comes is to fail on a machine that is very busy. */
const readyMsMax = 240_000

const isSettled = async (baseUrl: string): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/api/v1/health`)
  const health = (await answer.json()) as { ok: boolean; sources: { state: string }[] }
  return health.ok && health.sources.every(({ state }) => state === 'ok')
}

/** The service as a user starts it, on the sandbox, in a folder of its own. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-service-'))
  const service = await startService({
    directory,
    args: ['start', '--port', '0', '--rate-limit', '0'],
  })
  const deadline = Date.now() + readyMsMax
  while (!(await isSettled(service.baseUrl))) {
    if (Date.now() > deadline) {
      await service.stop()
      throw new Error(`the service's sources did not become ok:\n${service.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  project.provide('baseUrl', service.baseUrl)
  project.provide('sandboxDir', join(directory, 'data/sandbox'))
  return async () => {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What the sandbox tells of itself for tests. */
export const readManifest = (sandboxDir: string): unknown =>
  JSON.parse(readFileSync(join(sandboxDir, 'manifest.json'), 'utf8'))
