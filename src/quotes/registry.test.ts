import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { createPatientHttpClient } from '../../test/support/net/loopback.ts'
import { createFixedSource } from '../../test/support/quotes/fixed-source.ts'
import { object } from '../config/network-schema.ts'
import {
  quoteSourceReader,
  quoteSourceReaders,
  readQuoteSources,
} from '../config/quote-source-file.ts'
import { success } from '../domain/outcome.ts'
import { quotePublishers } from '../domain/price/quote.ts'
import {
  createQuoteSource,
  type QuoteSourceSettings,
  type QuoteSourceSpec,
  quoteSources,
} from './registry.ts'

const chain = { callContracts: async () => success([]) }
const deps = { chainId: 4663, httpClient: createPatientHttpClient(), chain }

it.each<QuoteSourceSpec>([
  { kind: 'issuer', url: 'http://127.0.0.1:9/rhj' },
  { kind: 'chainlink' },
  { kind: 'file', path: './quotes.json' },
])('a source of the kind $kind', (spec) => {
  expect(createQuoteSource(quoteSources, spec, deps).id).toBe(spec.kind)
})

it('the domain, the network file and the registry know the same kinds', () => {
  expect(Object.keys(quoteSources)).toEqual([...quotePublishers])
  expect(Object.keys(quoteSourceReaders)).toEqual([...quotePublishers])
})

// docs/architecture.md, "Adding things", but for its line in the table of publishers.
it('another source is one file, one factory and one reader', async () => {
  type Fixed = { readonly usd: number }
  type FixedSpec = Fixed & { readonly kind: 'fixed' }
  type Settings = QuoteSourceSettings & { readonly fixed: Fixed }
  const fixed = quoteSourceReader(
    object({ kind: Type.Literal('fixed'), usd: Type.Number({ expected: 'a number' }) }),
    ({ usd }): FixedSpec => ({ kind: 'fixed', usd }),
  )
  const rows = [{ kind: 'fixed', usd: 225.4 }]
  const specs = readQuoteSources({ ...quoteSourceReaders, fixed }, rows, '.')
  if (!specs.ok) throw new Error(specs.fault)
  const factories = { ...quoteSources, fixed: ({ usd }: FixedSpec) => createFixedSource(usd) }
  const [spec] = specs.value
  if (spec?.kind !== 'fixed') throw new Error('another kind')
  const source = createQuoteSource<Settings, 'fixed'>(factories, spec, deps)
  const wanted = {
    address: '0x01',
    symbol: 'NVDA',
    isStock: true,
    feedPer: 'token' as const,
    feed: null,
  } as const
  expect(await source.read([wanted], 1000)).toMatchObject({
    value: { quotes: [{ address: '0x01', last: 225.4, publishedTs: 1000 }], expected: 1 },
  })
  expect(readQuoteSources({ fixed }, [{ kind: 'fixed' }], '.')).toMatchObject({
    fault: 'quoteSources[0].usd: missing',
  })
})
