import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'

/* The dashboard and the alerts use only metrics that exist. */

const readOps = (path: string): string =>
  readFileSync(new URL(`../../../ops/${path}`, import.meta.url), 'utf8')

const asked = /\b(?:stockpools|nodejs|process)_[a-z0-9_]+\b/g

test.each(['grafana/stockpools.json', 'prometheus/alerts.yml'])('%s', async (path) => {
  const { request } = await startForTest()
  const { text } = await request('/metrics')
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const names = new Set([...readOps(path).matchAll(asked)].map(([name]) => name))
  const families = [...names].map((name) => name.replace(/_(?:bucket|count)$/, ''))
  expect(families.filter((name) => !exposed.has(name))).toEqual([])
})

test('the Grafana dashboard is valid JSON', () => {
  const { panels, title } = JSON.parse(readOps('grafana/stockpools.json'))
  expect([title, panels.length]).toEqual(['stockpools', 19])
})
