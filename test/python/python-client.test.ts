import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { success } from '../../src/domain/outcome.ts'
import type { ChangeEvent } from '../../src/market/changes.ts'
import { startForTest } from '../support/api/harness.ts'
import { samplePools, sampleStocks } from '../support/api/sample-market.ts'
import { hasPython, listenInPython, runPython } from './run-python.ts'

/* Where a machine has no Python, only what needs none is tested. */

const projectFile = new URL('../../clients/python/pyproject.toml', import.meta.url)

test('the package has no dependencies and the version of its user agent', () => {
  const project = readFileSync(projectFile, 'utf8')
  const version = /^version = "(.+)"$/m.exec(project)?.[1]
  const request = readFileSync(new URL('stockpools/request.py', projectFile), 'utf8')
  expect(request).toContain(`"stockpools-python/${version}"`)
  expect(project).toContain('dependencies = []')
})

type Answers = {
  readonly answers: Readonly<Record<string, unknown>>
  readonly faults: Readonly<Record<string, unknown>>
  readonly rows: Readonly<Record<string, unknown>>
}

const rollback = (block: number): ChangeEvent => ({
  topic: 'rollback',
  data: { afterBlock: block, ts: 9 },
  about: null,
})

const withPython = (): void => {
  test('every method returns the body of its endpoint, and pages follow each other', async () => {
    const server = await startForTest()
    const times = [7200, 3600, 0]
    const pages: typeof server.market.poolCandles = async (_id, { cursor }) => {
      const at = cursor === null ? 0 : times.indexOf(cursor.ts) + 1
      const [ts = 0] = times.slice(at)
      const row = { ts, open: 1, high: 1, low: 1, close: 1, volumeUsd: 1, volumeStock: 1 }
      const items = [{ ...row, swaps: 1, closed: true }]
      const next = at === times.length - 1 ? null : { ts }
      return success({ items, next, asOfBlock: 7, complete: true })
    }
    const stockCandles: typeof server.market.stockCandles = (_key, query) =>
      pages('0x', { ...query, price: 'usd', fill: 'none', hasStockVolume: true })
    Object.assign(server.market, { poolCandles: pages, stockCandles })
    const url = `http://127.0.0.1:${server.port}`
    const token = `0x${'a'.repeat(40)}`
    const { answers, faults, rows } = (await runPython(
      ...['answers.py', url, samplePools[0]?.id ?? '', token],
    )) as Answers
    expect(Object.keys(answers).length).toBeGreaterThan(20)
    for (const [path, answer] of Object.entries(answers)) {
      expect([path, answer]).toEqual([path, (await server.request(path)).json()])
    }
    expect(rows).toMatchObject({
      ...{ candles: times, some: times.slice(0, 2), pools: samplePools.map(({ id }) => id) },
      stocks: sampleStocks.map(({ symbol }) => symbol),
    })
    expect([expect.stringContaining('needs pandas'), ['UTC', 3, expect.any(Array)]]).toContainEqual(
      rows.frame,
    )
    expect(faults).toEqual({
      'unknown pool': [404, 'pool_not_found', 'id', true],
      'wrong parameter': [400, 'invalid_parameter', 'limit', true],
      'unknown parameter': [400, 'unknown_parameter', 'limt', true],
      'too many': [400, 'invalid_parameter', 'addresses', true],
      both: ['ValueError', 'give id or symbol, not both'],
      neither: ['ValueError', 'give id or symbol'],
      'no service': [
        'TransportError',
        expect.stringContaining('no answer from http://127.0.0.1:9'),
      ],
      stream: [400, 'invalid_parameter', 'topics', true],
    })
  })

  test('the stream resumes after a broken connection without a gap', async () => {
    const server = await startForTest()
    const heard = listenInPython('listen.py', `http://127.0.0.1:${server.port}`, 'stream')
    const blocks = () =>
      (heard as { data: { afterBlock: number } }[]).map(({ data }) => data.afterBlock)
    // Published until it is received, so it may be received twice.
    const later = () => blocks().filter((block) => block > 1)
    await expect
      .poll(() => {
        server.market.publish([rollback(1)])
        return blocks()
      })
      .toContain(1)
    server.dropConnections()
    server.market.publish([rollback(2), rollback(3)])
    await expect.poll(later).toEqual([2, 3])
    server.market.publish([rollback(4)])
    await expect.poll(later).toEqual([2, 3, 4])
  })

  test('who follows swaps drops those that a rollback replaces, and all at a resync', async () => {
    const server = await startForTest()
    const { swaps } = server.market
    const onePage: typeof swaps = async (query) => {
      const page = await swaps(query)
      return page.ok ? success({ ...page.value, next: null }) : page
    }
    Object.assign(server.market, { swaps: onePage })
    const url = `http://127.0.0.1:${server.port}`
    const heard = listenInPython('listen.py', url, 'follow', '0')
    const rollbacks = () =>
      (heard as { swap: unknown; afterBlock: number | null }[]).map(({ swap, afterBlock }) =>
        swap === null ? afterBlock : 'swap',
      )
    await expect.poll(rollbacks).toEqual(['swap'])
    server.market.publish([rollback(5)])
    await expect.poll(rollbacks).toEqual(['swap', 5])
    const resync = { topic: 'resync', data: { reason: 'events_missed' }, about: null } as const
    server.market.publish([resync])
    await expect.poll(rollbacks).toEqual(['swap', 5, null, 'swap'])
  })
}

if (hasPython) withPython()
