import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'

/* The dashboard and the alerts ask for nothing that the service does not tell. */

const readOps = (path: string): string =>
  readFileSync(new URL(`../../../ops/${path}`, import.meta.url), 'utf8')

const asked = /\b(?:stockpools|nodejs|process)_[a-z0-9_]+\b/g

test.each(['grafana/stockpools.json', 'prometheus/alerts.yml'])('%s', async (path) => {
  const { request } = await startForTest()
  const { text } = await request('/metrics')
  const told = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const names = new Set([...readOps(path).matchAll(asked)].map(([name]) => name))
  const families = [...names].map((name) => name.replace(/_(?:bucket|count)$/, ''))
  expect(families.filter((name) => !told.has(name))).toEqual([])
})

test('the dashboard is the JSON of a dashboard', () => {
  const { panels, title } = JSON.parse(readOps('grafana/stockpools.json'))
  expect([title, panels.length]).toEqual(['stockpools', 19])
})
