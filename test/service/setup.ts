import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { sleep } from './api.ts'
import { type Service, startService } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Who asks here starts the service, unless it runs: `shared.ts`. */
    readonly starterUrl: string
  }
}

/** The service that all tests of the project ask. */
export type SharedService = {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** What it made under its working directory's `data/sandbox`. */
  readonly sandboxDir: string
}

const waitMs = 500
/** Takes ten seconds; only what never comes is to fail on a machine that is very busy. */
const readyMsMax = 240_000

const isSettled = async (baseUrl: string): Promise<boolean> => {
  const answer = await fetch(`${baseUrl}/api/v1/health`)
  const health = (await answer.json()) as { ok: boolean; sources: { state: string }[] }
  return health.ok && health.sources.every(({ state }) => state === 'ok')
}

/** The service as a user starts it, on the sandbox. */
const startSettled = async (directory: string): Promise<Service> => {
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
    await sleep(waitMs)
  }
  return service
}

/**
 * One service for all of these tests, in a folder of its own. It starts when the first of them
 * asks: a sandbox that trades while others are tested would take an eighth of a core from them.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-service-'))
  const sandboxDir = join(directory, 'data/sandbox')
  let starting: Promise<Service | null> | null = null
  let reply: { readonly status: number; readonly body: SharedService | string } | null = null
  /** A failed start is reported to the tests that use the service; the run continues. */
  const start = async (): Promise<Service | null> => {
    try {
      const service = await startSettled(directory)
      reply = { status: 200, body: { baseUrl: service.baseUrl, sandboxDir } }
      return service
    } catch (fault) {
      reply = { status: 500, body: String(fault) }
      return null
    }
  }
  const starter = createServer((_question, answer) => {
    starting ??= start()
    answer.writeHead(reply?.status ?? 202).end(JSON.stringify(reply?.body ?? null))
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  project.provide('starterUrl', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`)
  return async () => {
    starter.close()
    starter.closeAllConnections()
    await (await starting)?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
