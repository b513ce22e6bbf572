import { Type } from 'typebox'
import { sourceStates } from '../../domain/status/data-status.ts'
import { type SourceView, sourceIds } from '../../domain/status/source-state.ts'
import {
  type HealthView,
  type IndexView,
  type StatusView,
  type WriterView,
  writerStates,
} from '../../domain/views/service.ts'
import {
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

const tsField = field(unixSecondsSchema, 'Time of the reply.', 1_795_215_603)

export const SourceSchema = describes<SourceView>()(
  record('One source of the data and how it fares.', {
    source: field(Type.Enum([...sourceIds]), 'Its name.', 'quotes'),
    state: field(
      Type.Enum([...sourceStates]),
      'Computed when read, from the last attempts and the age.',
      'ok',
    ),
    lastAttemptTs: nullableTime('When an attempt to read it last finished.', 1_795_215_600),
    lastSuccessTs: nullableTime('When an attempt last succeeded.', 1_795_215_600),
    lastError: field(
      nullable(Type.String({ maxLength: 200 })),
      'What the last failure said; cleared by the next success.',
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

const pools = (what: string, example: number) => field(countSchema, what, example)

export const HealthSchema = describes<HealthView>()(
  record('Whether the service itself works; a source or a quote may still be old.', {
    ok: field(Type.Boolean(), 'The store is readable and a first snapshot is built.', true),
    ts: tsField,
    methodologyVersion: field(
      Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
      'Version of the rules by which the numbers are made.',
      '1.0.0',
    ),
    pools: record('How many pools there are. Stock-stock pools: total - meme - canonical.', {
      total: pools('All.', 46_012),
      active: pools('Active.', 8_120),
      hot: pools('Hot.', 311),
      v3: pools('Of Uniswap v3.', 12_004),
      v4: pools('Of Uniswap v4.', 34_008),
      meme: pools('Of kind meme.', 45_200),
      canonical: pools('Of kind canonical.', 702),
    }),
    ethUsd: nullableUsd('Price of one ether.', 3_719.47),
    sources: sourcesField,
  }),
)

const policy = record('The age rules in force.', {
  quoteMaxAgeSeconds: field(secondsSchema, 'An older quote is not fresh.', 45),
  poolMaxAgeSeconds: field(secondsSchema, 'An older pool state is stale.', 30),
  reserveMaxAgeSeconds: field(secondsSchema, 'Older reserves are not fresh.', 120),
  confirmations: field(blocksSchema, 'Blocks that a swap waits before it is shown.', 20),
})

const WriterSchema = describes<WriterView>()(
  record('The one process that may write a store which several share.', {
    state: field(
      Type.Enum([...writerStates]),
      'active, absent (nobody holds the lease), or unknown (the store has not told for a while).',
      'active',
    ),
    holder: field(
      nullable(Type.String({ maxLength: 200 })),
      'Host and process id of the indexer that holds the lease; null once it was given back.',
      'indexer-0:7',
    ),
    generation: field(countSchema, 'Grows whenever another process takes over.', 3),
    ageSeconds: field(secondsSchema, 'Since the lease was renewed or given back.', 1),
  }),
)

const chain = record('Where the index stands on the chain.', {
  chainId: field(Type.Integer({ minimum: 1, 'x-unit': 'EIP-155 id' }), 'Which chain.', 4_663),
  network: field(Type.String(), 'Name of the network file.', 'robinhood'),
  headBlock: nullableBlock("The chain's newest block.", 24_880_451),
  indexedBlock: nullableBlock('The newest block that is indexed.', 24_880_431),
  indexedTs: nullableTime('Its time.', 1_795_215_602),
  settledBlock: nullableBlock('The newest block that can not change.', 24_871_000),
  lagBlocks: field(nullable(blocksSchema), 'headBlock minus indexedBlock.', 20),
  lagSeconds: field(nullable(secondsSchema), 'ts minus indexedTs.', 1),
  backfill: record('How far the history is read.', {
    phase: field(
      Type.Unsafe<string>(Type.Enum([...backfillPhases])),
      'What is being read.',
      'done',
    ),
    done: field(countSchema, 'Steps of the phase that are done.', 100),
    total: field(countSchema, 'Steps of the phase.', 100),
    etaSeconds: field(
      nullable(secondsSchema),
      'Seconds until the phase is done at the present pace; null when it is, or nothing moves.',
      null,
    ),
  }),
  verified: field(
    Type.Boolean(),
    'Whether a second endpoint confirms what the first one said.',
    false,
  ),
  repairs: field(
    countSchema,
    'Events that a second reading of final blocks found missing, wrong or too many.',
    0,
  ),
  writer: field(
    nullable(WriterSchema),
    'Who writes the store; null where it is a file, which has one writer anyway.',
    null,
  ),
})

export const StatusSchema = describes<StatusView>()(
  record('The age rules, the sources and the chain.', {
    ts: tsField,
    policy,
    sources: sourcesField,
    chain,
  }),
)

export const LivenessSchema = record('The process answers.', {
  ok: field(Type.Boolean(), 'Always true.', true),
})

const FigureSchema = record('A figure by which numbers are made.', {
  name: field(Type.String(), 'Its name.', 'quoteMaxAgeSeconds'),
  value: field(Type.Number({ 'x-unit': 'as told beside it' }), 'The value in force.', 45),
  unit: field(Type.String(), 'What the value counts.', 'seconds'),
  section: field(Type.String(), 'Where the methodology uses it.', '§3'),
  meaning: field(Type.String(), 'What it decides.', 'A share quote is fresh.'),
})

export const MethodologySchema = record('The rules in force, as figures.', {
  version: field(
    Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
    'Version of the rules; the same in health.',
    '1.0.0',
  ),
  hash: field(
    hashSchema,
    'SHA-256 over version, names and values: the same hash, the same numbers.',
    '0x5f2b7c0d6e8a9f1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3',
  ),
  parameters: field(listOf(FigureSchema), 'Every figure in force.', []),
})

const ParameterSchema = record('A parameter.', {
  name: field(Type.String(), 'Its name, in this case.', 'limit'),
  in: field(Type.Enum(['path', 'query']), 'Where it stands.', 'query'),
  rule: field(Type.String(), 'What it must be.', 'an integer from 1 to 50 in decimal digits'),
})

const EndpointSchema = record('An endpoint.', {
  method: field(
    Type.Enum(['GET', 'POST']),
    'With GET comes HEAD, and OPTIONS with everything.',
    'GET',
  ),
  path: field(Type.String(), 'Its path; :name stands for a parameter.', '/api/v1/pools/:id'),
  summary: field(Type.String(), 'What it answers.', 'One pool with its series and swaps.'),
  parameters: field(listOf(ParameterSchema), 'What it takes.', []),
})

export const ApiIndexSchema = describes<IndexView>()(
  record('What this service is, and what can be asked.', {
    service: field(Type.Literal('stockpools'), 'The name of the program.', 'stockpools'),
    version: field(Type.Literal('v1'), 'The version of the interface.', 'v1'),
    network: field(Type.String(), 'The network whose pools are shown.', 'robinhood'),
    sandbox: field(Type.Boolean(), 'Whether everything shown is simulated.', false),
    notice: field(nullable(Type.String()), 'What everybody should know first.', null),
    explorerUrl: field(
      nullable(Type.String()),
      "Where the chain's explorer begins: /address/…, /token/… and /tx/… follow.",
      'https://explorer.example',
    ),
    endpoints: field(listOf(EndpointSchema), 'All endpoints.', []),
  }),
)
