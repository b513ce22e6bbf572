import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { beforeAll, expect, test } from 'vitest'
import { startServer } from '../support/api/harness.ts'

/* Two linters that API teams use, with their own recommended rules, and no exceptions. */

let text: string
beforeAll(async () => {
  const server = await startServer()
  text = (await server.request('/api/v1/openapi.json')).text
  await server.close()
})

const bySpectral = async (source: string): Promise<readonly string[]> => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition] })
  const found = await spectral.run(source)
  return found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

const byRedocly = async (source: string): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, config })
  return found.map(
    ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}

const careless = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'careless', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: 'a' } } } } },
})

test.each([
  ['Spectral', bySpectral, 'operation-description'],
  ['Redocly', byRedocly, 'security-defined'],
])('the rules of %s find nothing here, and something elsewhere', async (_name, lint, rule) => {
  expect(await lint(text)).toEqual([])
  expect((await lint(careless)).join()).toContain(rule)
})
