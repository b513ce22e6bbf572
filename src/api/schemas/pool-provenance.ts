import { Type } from 'typebox'
import { provenanceFields } from '../../domain/provenance/formulas.ts'
import {
  type FieldProvenance,
  type InputSource,
  nullReasons,
  type PoolProvenanceView,
  type ProvenanceInput,
  type TickView,
} from '../../domain/views/provenance.ts'
import {
  addressSchema,
  bigIntegerSchema,
  blockSchema,
  describes,
  field,
  hashSchema,
  hexSchema,
  listOf,
  nullable,
  poolIdSchema,
  record,
  tickSchema,
  unixSecondsSchema,
} from './fields.ts'
import { pastField } from './pool-detail.ts'
import { choiceField } from './query-fields.ts'
import { methodologyVersionField } from './service.ts'
import { originFields } from './swap-quote.ts'

/** Of the query. */
export const provenanceField = choiceField(
  'Only this number and the steps to it.',
  provenanceFields,
  null,
)

const exampleAddress = '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'
const exampleHash = '0x5f1c7b9ae1d54c0a7f6f52b1b1c1d4b75a3a1f4c2f6f0e7d8c9b0a1f2e3d4c5b'

const kindField = <const Kind extends InputSource['kind']>(kind: Kind, meaning: string) => ({
  kind: field(Type.Literal(kind), `${kind}: ${meaning}.`, kind as never),
})

const blockHashField = field(nullable(hashSchema), 'Hash of that block, where it is known.', null)
const blockField = field(blockSchema, 'The block.', 24_880_431)

const sourceRecords = [
  record('Another number of this answer.', {
    ...kindField('field', 'another number of this answer'),
    field: field(Type.String(), 'Its name.', 'otherReferenceUsd'),
  }),
  record('A call of a contract.', {
    ...kindField('read', 'the answer to an eth_call'),
    to: field(addressSchema, 'Contract that is called.', exampleAddress),
    call: field(Type.String(), 'Signature of the function.', 'slot0()'),
    data: field(hexSchema, 'Call data.', '0x3850c7bd'),
    block: field(nullable(blockSchema), 'The block.', 24_880_431),
    blockHash: blockHashField,
  }),
  record('One log.', {
    ...kindField('log', 'one log'),
    block: blockField,
    blockHash: blockHashField,
    txHash: field(hashSchema, 'Its transaction.', exampleHash),
    logIndex: field(Type.Integer({ minimum: 0 }), 'Its position in the block.', 17),
  }),
  record('Logs by a filter.', {
    ...kindField('logs', 'all logs of an eth_getLogs filter'),
    address: field(addressSchema, 'Contract that emits them.', exampleAddress),
    topic: field(nullable(hashSchema), 'Second topic; null for any.', null),
    fromBlock: field(blockSchema, 'First block.', 1_204_880),
    toBlock: field(blockSchema, 'Last block.', 24_880_431),
  }),
  record('The header of a block.', {
    ...kindField('block', "a block's header"),
    block: blockField,
    blockHash: blockHashField,
  }),
  record('A quote.', {
    ...kindField('quote', 'a quote'),
    source: field(Type.String(), 'Who published it.', 'chainlink'),
    publishedTs: field(unixSecondsSchema, "The publisher's time.", 1_795_215_570),
    fetchedTs: field(unixSecondsSchema, 'When it was fetched.', 1_795_215_600),
  }),
  record('A kept reference.', {
    ...kindField('reference', 'the last reference of a token in a span of time, as it is kept'),
    source: field(Type.String(), 'Who published it.', 'chainlink'),
    fromTs: field(unixSecondsSchema, 'Beginning of the span.', 1_795_215_540),
    toTs: field(unixSecondsSchema, 'The second after its end.', 1_795_215_600),
  }),
  record('A list of this service.', {
    ...kindField('request', 'a list of this service, page by page'),
    path: field(Type.String(), 'What to request.', '/api/v1/pools/0x…/swaps'),
  }),
  record('What the service observed.', {
    ...kindField('service', 'what the service itself observed, such as its clock'),
    ts: field(unixSecondsSchema, 'When it observed it.', 1_795_215_603),
  }),
] as const

const sourceSchema = describes<InputSource>()(Type.Union([...sourceRecords]))

const valueSchema = Type.Union([Type.Number(), Type.String(), Type.Null()])
const unitField = field(Type.String(), 'Unit of the value.', 'US dollars per token')

const ProvenanceInputSchema = describes<ProvenanceInput>()(
  record('One input of a formula.', {
    name: field(Type.String(), 'Name in the formula.', 'otherReferenceUsd'),
    value: field(valueSchema, 'Text is an exact integer; null: not known, or a list.', 1),
    unit: unitField,
    source: field(sourceSchema, 'Where it comes from.', { kind: 'field', field: 'fee' }),
  }),
)

const FieldProvenanceSchema = describes<FieldProvenance>()(
  record('How one number was made.', {
    field: field(Type.String(), 'A field of the pool, or a step to one.', 'stockPriceUsd'),
    published: field(Type.Boolean(), 'Whether it is a field of the pool.', true),
    value: field(valueSchema, 'As in the pool; text is an exact integer.', 225.4),
    unit: unitField,
    section: field(
      Type.String(),
      'Section of the methodology: an anchor of docs/methodology.md.',
      '3-references-and-dollar-prices',
    ),
    formula: field(
      Type.String(),
      'Gives the value from the inputs, in the language of the methodology.',
      'positive(stockPriceInOther * otherReferenceUsd)',
    ),
    inputs: field(listOf(ProvenanceInputSchema), 'All inputs of the formula.', []),
    reason: field(nullable(Type.Enum([...nullReasons])), 'Why the value is null.', null),
    missing: field(listOf(Type.String()), 'Inputs without a value; empty with one.', []),
  }),
)

const liquidityText = Type.String({ pattern: '^-?(0|[1-9][0-9]*)$' })

const TickSchema = describes<TickView>()(
  record('A tick at which positions begin or end.', {
    tick: field(tickSchema, 'The tick.', -28_080),
    liquidityNet: field(liquidityText, 'Liquidity that a rising price adds.', '1517882343751509'),
    liquidityGross: field(bigIntegerSchema, 'Liquidity of its positions.', '1517882343751509'),
  }),
)

export const PoolProvenanceSchema = describes<PoolProvenanceView>()(
  record("How every number of a pool's row was made, all of one block.", {
    poolId: field(poolIdSchema, 'The pool.', exampleAddress),
    methodologyVersion: methodologyVersionField,
    asOfHash: field(nullable(hashSchema), 'Hash of the block that the answer is of.', null),
    fields: field(
      listOf(FieldProvenanceSchema),
      'All numbers of the row and the steps to them, each after its inputs.',
      [],
    ),
    ticks: field(
      nullable(listOf(TickSchema)),
      'The list `ticks` of the formulas, by tick; null if it is not known or too long.',
      [],
    ),
    past: pastField,
    ...originFields,
  }),
)

export const provenanceSchemas = {
  FieldProvenance: FieldProvenanceSchema,
  PoolProvenance: PoolProvenanceSchema,
  ProvenanceInput: ProvenanceInputSchema,
  Tick: TickSchema,
}
