import { Type } from 'typebox'
import { sourceStates } from '../../domain/status/data-status.ts'
import type { PoolCoverage } from '../../domain/status/pool-coverage.ts'
import { type PoolSearch, searchKinds } from '../../domain/status/pool-search.ts'
import { type SourceView, sourceIds } from '../../domain/status/source-state.ts'
import {
  type HealthView,
  type IndexView,
  type StatusView,
  type VenueCoverageView,
  type WriterView,
  writerStates,
} from '../../domain/views/service.ts'
import {
  addressSchema,
  blockSchema,
  blocksSchema,
  countSchema,
  describes,
  field,
  hashSchema,
  listOf,
  nullable,
  nullableBlock,
  nullableTime,
  nullableUsd,
  record,
  secondsSchema,
  unixSecondsSchema,
} from './fields.ts'

const backfillPhases = ['discover', 'liquidity', 'state', 'swaps', 'done'] as const

const tsField = field(unixSecondsSchema, 'Time of the response.', 1_795_215_603)

export const SourceSchema = describes<SourceView>()(
  record('One data source with its state.', {
    source: field(Type.Enum([...sourceIds]), 'Name of the source.', 'quotes'),
    state: field(
      Type.Enum([...sourceStates]),
      'State, computed when read from the last attempts and the age.',
      'ok',
    ),
    lastAttemptTs: nullableTime('When the last attempt finished.', 1_795_215_600),
    lastSuccessTs: nullableTime('When the last successful attempt finished.', 1_795_215_600),
    lastError: field(
      nullable(Type.String({ maxLength: 200 })),
      'Message of the last failure; cleared by the next success.',
      null,
    ),
    ageSeconds: field(nullable(secondsSchema), 'ts minus lastSuccessTs.', 3),
  }),
)

const sourcesField = field(
  listOf(SourceSchema, sourceIds.length),
  'Always all four: quotes, pools, swaps, screener.',
  [],
)

const poolCount = (meaning: string, example: number) => field(countSchema, meaning, example)

export const methodologyVersionField = field(
  Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
  'Version of the methodology.',
  '1.2.0',
)

export const HealthSchema = describes<HealthView>()(
  record('Whether the service itself works; a source or a quote may still be old.', {
    ok: field(Type.Boolean(), 'The store is readable and a first snapshot is built.', true),
    ts: tsField,
    methodologyVersion: methodologyVersionField,
    pools: record('Pool counts. Stock-stock pools are total - meme - canonical.', {
      total: poolCount('All pools.', 46_012),
      active: poolCount('Active pools.', 8_120),
      hot: poolCount('Hot pools.', 311),
      v3: poolCount('Uniswap v3 pools.', 12_004),
      v4: poolCount('Uniswap v4 pools.', 34_008),
      meme: poolCount('Pools of kind meme.', 45_200),
      canonical: poolCount('Pools of kind canonical.', 702),
    }),
    ethUsd: nullableUsd('Price of one ether.', 3_719.47),
    sources: sourcesField,
  }),
)

const policy = record('The age limits in force.', {
  quoteMaxAgeSeconds: field(secondsSchema, 'An older quote is not fresh.', 45),
  poolMaxAgeSeconds: field(secondsSchema, 'An older pool state is stale.', 30),
  reserveMaxAgeSeconds: field(secondsSchema, 'Older reserves are not fresh.', 120),
  confirmations: field(blocksSchema, 'Blocks to wait before a block is indexed.', 20),
})

const WriterSchema = describes<WriterView>()(
  record('The process that may write a shared store.', {
    state: field(
      Type.Enum([...writerStates]),
      'active, absent (no indexer holds the lease), or unknown (the store does not respond).',
      'active',
    ),
    holder: field(
      nullable(Type.String({ maxLength: 200 })),
      'Host and process id of the leader; null after it released the lease.',
      'indexer-0:7',
    ),
    generation: field(countSchema, 'Increases when another process takes over.', 3),
    ageSeconds: field(secondsSchema, 'Age of the last renewal or release of the lease.', 1),
  }),
)

const SearchSchema = describes<PoolSearch>()(
  record('A running search for older pools.', {
    address: field(
      addressSchema,
      'Stock, venue or trusted token.',
      '0x1f7d7550b1b028f7571e69a784071f0205fd2efa',
    ),
    kind: field(Type.Enum([...searchKinds]), 'What the address is.', 'venue'),
    fromBlock: field(blockSchema, 'First block of the search.', 1_200_000),
    done: field(countSchema, 'Blocks done, half of them when all pools are found.', 40_000),
    total: field(countSchema, 'Blocks of the search.', 23_680_431),
  }),
)

const CoverageSchema = describes<PoolCoverage>()(
  record('The last coverage audit of the v3 factories; a v4 PoolManager does not list its pools.', {
    checkedTs: field(unixSecondsSchema, 'When the audit finished.', 1_795_213_200),
    checked: field(
      countSchema,
      'Pools of stocks with trusted tokens that the factories have.',
      214,
    ),
    missing: field(countSchema, 'Those of them that the index lacks.', 0),
  }),
)

const chain = record('Progress of the index on the chain.', {
  chainId: field(Type.Integer({ minimum: 1, 'x-unit': 'EIP-155 id' }), 'Chain id.', 4_663),
  network: field(Type.String(), 'Name of the network file.', 'robinhood'),
  headBlock: nullableBlock('Newest block of the chain.', 24_880_451),
  indexedBlock: nullableBlock('Last indexed block.', 24_880_431),
  indexedTs: nullableTime('Time of the last indexed block.', 1_795_215_602),
  settledBlock: nullableBlock('Last block that passed the finality check.', 24_871_000),
  lagBlocks: field(nullable(blocksSchema), 'headBlock minus indexedBlock.', 20),
  lagSeconds: field(nullable(secondsSchema), 'ts minus indexedTs.', 1),
  backfill: record('Progress of bootstrap and backfill.', {
    phase: field(Type.Unsafe<string>(Type.Enum([...backfillPhases])), 'Current phase.', 'done'),
    done: field(countSchema, 'Completed steps of the phase.', 100),
    total: field(countSchema, 'Steps of the phase.', 100),
    etaSeconds: field(
      nullable(secondsSchema),
      'Estimated seconds to the end of the phase; null if it is complete or not progressing.',
      null,
    ),
  }),
  searches: field(
    listOf(SearchSchema),
    'Running searches for older pools of stocks, venues and trusted tokens new to the store.',
    [],
  ),
  coverage: field(
    nullable(CoverageSchema),
    'Last comparison with the pools that the v3 factories have; null before the first.',
    null,
  ),
  verified: field(
    Type.Boolean(),
    'Whether the last finality check was cross-checked with a second endpoint.',
    false,
  ),
  repairs: field(countSchema, 'Missing, wrong or surplus events that finality checks found.', 0),
  writer: field(
    nullable(WriterSchema),
    'Leader of a shared store; null for a file, which has a single writer.',
    null,
  ),
})

const VenueCoverageSchema = describes<VenueCoverageView>()(
  record("The last audit of a venue's creation logs; null before the first.", {
    venue: field(Type.String(), 'Name of the venue, as in pools.', 'Uniswap v3'),
    address: field(
      addressSchema,
      'Its factory or manager.',
      '0x1f7d7550b1b028f7571e69a784071f0205fd2efa',
    ),
    pools: field(nullable(countSchema), 'Pools of `expected` that the index has.', 214),
    expected: field(
      nullable(countSchema),
      'Pools of stocks and reference pools that creation logs or the factory report.',
      214,
    ),
    checkedBlock: nullableBlock('Creation logs are read up to this block.', 24_880_431),
  }),
)

export const StatusSchema = describes<StatusView>()(
  record('The age limits, the sources and the chain.', {
    ts: tsField,
    policy,
    sources: sourcesField,
    chain,
    coverage: field(listOf(VenueCoverageSchema), 'The coverage audit, by venue.', []),
  }),
)

export const LivenessSchema = record('The process responds.', {
  ok: field(Type.Boolean(), 'Always true.', true),
})

const MethodologyParameterSchema = record('A parameter of the methodology.', {
  name: field(Type.String(), 'Name of the parameter.', 'quoteMaxAgeSeconds'),
  value: field(Type.Number({ 'x-unit': 'see unit' }), 'The value in force.', 45),
  unit: field(Type.String(), 'Unit of the value.', 'seconds'),
  section: field(Type.String(), 'Section of the methodology.', '§3'),
  meaning: field(Type.String(), 'What the parameter decides.', 'A share quote is fresh.'),
})

export const MethodologySchema = record('The parameters of the methodology in force.', {
  version: field(
    Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
    'Version of the methodology, as in health.',
    '1.2.0',
  ),
  hash: field(
    hashSchema,
    'SHA-256 over version, names and values; equal for equal methodologies.',
    '0x5f2b7c0d6e8a9f1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3',
  ),
  parameters: field(listOf(MethodologyParameterSchema), 'Every parameter in force.', []),
})

const ParameterSchema = record('A request parameter.', {
  name: field(Type.String(), 'Name of the parameter; case-sensitive.', 'limit'),
  in: field(Type.Enum(['path', 'query']), 'Location of the parameter.', 'query'),
  rule: field(Type.String(), 'Valid values.', 'an integer from 1 to 50 in decimal digits'),
})

const EndpointSchema = record('An endpoint.', {
  method: field(
    Type.Enum(['GET', 'POST']),
    'GET includes HEAD; every path answers OPTIONS.',
    'GET',
  ),
  path: field(Type.String(), 'Path; :name stands for a parameter.', '/api/v1/pools/:id'),
  summary: field(
    Type.String(),
    'What the endpoint returns.',
    'One pool with its series and swaps.',
  ),
  parameters: field(listOf(ParameterSchema), 'Request parameters.', []),
})

export const ApiIndexSchema = describes<IndexView>()(
  record('The service and its endpoints.', {
    service: field(Type.Literal('stockpools'), 'Name of the service.', 'stockpools'),
    version: field(Type.Literal('v1'), 'Version of the API.', 'v1'),
    network: field(Type.String(), 'Name of the network.', 'robinhood'),
    sandbox: field(Type.Boolean(), 'Whether all data is simulated.', false),
    notice: field(nullable(Type.String()), 'Important notice for every client.', null),
    explorerUrl: field(
      nullable(Type.String()),
      'Base URL of the block explorer, for /address/…, /token/… and /tx/….',
      'https://explorer.example',
    ),
    endpoints: field(listOf(EndpointSchema), 'All endpoints.', []),
  }),
)
