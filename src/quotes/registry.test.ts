import { expect, it } from 'vitest'
import { createPatientOutbound } from '../../test/support/net/loopback.ts'
import { success } from '../domain/outcome.ts'
import { createQuoteSource, type QuoteSourceSpec } from './registry.ts'

it.each<QuoteSourceSpec>([
  { kind: 'issuer', url: 'http://127.0.0.1:9/rhj' },
  { kind: 'chainlink' },
  { kind: 'file', path: './quotes.json' },
])('a source of the kind $kind', (spec) => {
  const chain = { calls: async () => success([]) }
  const deps = { chainId: 4663, outbound: createPatientOutbound(), chain }
  expect(createQuoteSource(spec, deps).id).toBe(spec.kind)
})
