import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../setup/processes.ts'
import { type Api, type Reply, sleep } from './api.ts'
import { clientOf, launch, stop, writeNetworkFile } from './launch.ts'
import { misfits } from './shape.ts'
import { problemShape } from './shapes.ts'
import { sandboxDir } from './shared.ts'

/*
 * The store of the running service, served by a second process with the default rate limit: 120
 * requests a minute, 30 of them at once.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-rate-'))
const burst = 30
/** So many that no machine is slow enough to earn them all while they are sent: two in a second. */
const sent = 20 * burst

let running: Running
let api: Api
/** At once, below the connections that one address may hold. */
const atOnce = 4 * burst
/** More than are allowed. */
const replies: Reply[] = []

beforeAll(async () => {
  const store = `sqlite:${join(sandboxDir, '../sandbox.db')}`
  const network = writeNetworkFile(directory, sandboxDir)
  running = launch(['api', '--network', network, '--store', store, '--port', '0'], { directory })
  api = await clientOf(running)
  while (replies.length < sent) {
    const requests = Array.from({ length: atOnce }, () => api.ask('/api/v1/status'))
    replies.push(...(await Promise.all(requests)))
  }
})

afterAll(async () => {
  if (running !== undefined) expect(await stop(running)).toBe(0)
  rmSync(directory, { recursive: true, force: true })
})

test('answers a burst of thirty with the remaining quota', () => {
  const answered = replies.filter(({ status }) => status === 200)
  // On a slow machine a second may pass during the burst, which allows two more.
  expect(answered.length).toBeGreaterThanOrEqual(burst)
  expect(answered.length).toBeLessThan(sent)
  for (const { headers } of replies) {
    expect(headers.get('ratelimit-policy')).toBe('"client";q=120;w=60;burst=30')
    expect(headers.get('ratelimit')).toMatch(/^"client";r=\d+;t=\d+$/)
    expect(headers.get('x-ratelimit-limit')).toBe('120')
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    expect(headers.get('x-ratelimit-reset')).toMatch(/^\d+$/)
  }
})

test('rejects further requests with Retry-After and accepts them after it', async () => {
  const refused = replies.filter(({ status }) => status !== 200)
  for (const { status, headers, text } of refused) {
    expect([status, headers.get('content-type')]).toEqual([429, 'application/problem+json'])
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    const problem = JSON.parse(text) as { error: { code: string } }
    expect(misfits(problemShape, problem, 'problem')).toEqual([])
    expect(problem.error.code).toBe('rate_limited')
  }
  const seconds = Number(refused[0]?.headers.get('retry-after'))
  await sleep(seconds * 1000 + 100)
  expect(await api.ask('/api/v1/status')).toMatchObject({ status: 200 })
})

test('never rejects probes', async () => {
  const probes = Array.from({ length: 3 * burst }, () => api.ask('/healthz'))
  const statuses = (await Promise.all(probes)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
