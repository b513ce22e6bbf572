import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type Running, startProcess } from '../setup/processes.ts'
import { baseUrl } from './shared.ts'

/* Each program of examples/, as a reader runs it, on the service with its sandbox. */

const folder = fileURLToPath(new URL('../../examples/', import.meta.url))

const run = (name: string, ...args: readonly string[]): Running =>
  startProcess(process.execPath, [`${folder}${name}.ts`, baseUrl, ...args])

test('there are no other examples', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  expect(names).toEqual(['check-health.ts', 'fresh-prices.ts', 'watch-swaps.ts'])
})

test('watch-swaps prints swaps as they are confirmed', async () => {
  const { child, says } = run('watch-swaps')
  onTestFinished(() => {
    child.kill()
  })
  expect(await says(/^\S+Z (buy|sell) [\d.e-]+ \S+ (?:unknown|\$[\d.]+) 0x/m)).toMatch(
    /^(buy|sell)$/,
  )
})

test('fresh-prices prints the reference and the pools of a stock', async () => {
  const { code, stdout, stderr } = await run('fresh-prices', 'NVDA').ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^NVDA: reference [\d.]+, \w+$/m)
})

test('check-health lists the sources, and its exit code says whether all are ok', async () => {
  const { code, stdout } = await run('check-health').ended
  expect(stdout).toMatch(/^swaps \w+ \d+ s/m)
  const states = [...stdout.matchAll(/^\w+ (\w+) /gm)].map(([, state]) => state)
  expect(code).toBe(states.every((state) => state === 'ok') ? 0 : 1)
})
