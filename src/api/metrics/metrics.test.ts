import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'
import type { ChangeEvent } from '../../market/changes.ts'

const line =
  /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? (?:[-+\d.e]+|Nan|NaN))$/

test('serves uncached Prometheus text without a rate limit', async () => {
  const { request } = await startForTest({ rateLimitPerMinute: 1 })
  await request('/metrics')
  const { status, headers, text } = await request('/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  const odd = text.split('\n').filter((each) => each !== '' && !line.test(each))
  expect(odd).toEqual([])
})

test('times requests by route and status, also on the fast path, but not streams', async () => {
  const { request, market, port } = await startForTest()
  market.revision = 'one'
  for (const path of ['/api/v1/pools', '/api/v1/pools', '/api/v1/pools?limit=0', '/nowhere']) {
    await request(path)
  }
  const stop = new AbortController()
  await fetch(`http://127.0.0.1:${port}/api/v1/stream`, { signal: stop.signal })
  stop.abort()
  const { text } = await request('/metrics')
  const counts = [
    ...text.matchAll(/^stockpools_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm),
  ]
  expect(counts.map(([, labels, count]) => `${labels} ${count}`).toSorted()).toEqual([
    'route="/api/v1/pools",status="200" 2',
    'route="/api/v1/pools",status="400" 1',
    'route="none",status="404" 1',
  ])
})

test('reports sources, chain, endpoints, store and this process', async () => {
  const { request, market } = await startForTest()
  const { text } = await request('/metrics')
  const { chain, sources, coverage } = market.status()
  const [source] = sources
  const [venue] = coverage
  for (const line of [
    'stockpools_up 1',
    `stockpools_head_block ${chain.headBlock}`,
    `stockpools_indexed_block ${chain.indexedBlock}`,
    `stockpools_lag_seconds ${chain.lagSeconds}`,
    `stockpools_source_state{source="quotes",state="${source?.state}"} 1`,
    'stockpools_source_state{source="quotes",state="down"} 0',
    `stockpools_source_age_seconds{source="quotes"} ${source?.ageSeconds}`,
    `stockpools_venue_pools{venue="${venue?.venue}",address="${venue?.address}"} ${venue?.pools}`,
    'stockpools_rpc_requests_total{host="rpc.example"} 7',
    'stockpools_rpc_calls_total{host="rpc.example"} 20',
    'stockpools_rpc_faults_total{host="rpc.example",kind="timeout"} 2',
    'stockpools_store_bytes 4096',
  ]) {
    expect(text).toContain(`\n${line}\n`)
  }
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds ')
  expect(text).toContain('process_resident_memory_bytes ')
})

test('omits the sample of an unknown value', async () => {
  const { request, market } = await startForTest()
  const { status } = market
  const unread = () => ({ ...status(), chain: { ...status().chain, headBlock: null } })
  Object.assign(market, { status: unread })
  expect((await request('/metrics')).text).not.toMatch(/^stockpools_head_block /m)
})

test('counts reorgs but not repairs', async () => {
  const { request, market } = await startForTest()
  const { status } = market
  let repairs = 3
  Object.assign(market, {
    status: () => ({ ...status(), chain: { ...status().chain, repairs } }),
  })
  const source = { topic: 'source', data: status().sources[0], about: null } as ChangeEvent
  const rollback = { topic: 'rollback', data: { afterBlock: 7, ts: 8 }, about: null } as const
  expect((await request('/metrics')).text).toContain('\nstockpools_reorgs_total 0\n')
  market.publish([source])
  market.publish([rollback, source])
  repairs += 2
  market.publish([rollback])
  market.publish([rollback])
  market.revision = 'later'
  expect((await request('/metrics')).text).toContain('\nstockpools_reorgs_total 2\n')
})
