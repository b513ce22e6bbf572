import { Type } from 'typebox'
import {
  type HistoryPage,
  type LiquidityChangeView,
  liquidityChangeKinds,
} from '../../domain/views/history.ts'
import {
  addressSchema,
  describes,
  field,
  hashSchema,
  nullable,
  nullableTokens,
  record,
  tickSchema,
} from './fields.ts'
import { historySchema } from './history.ts'
import { eventFields } from './past-swap.ts'
import { SwapSchema } from './pool-detail.ts'

const { logIndex } = SwapSchema.properties
const of = 'of the range at the price of the swap before, rounded down; null if that is not stored.'

export const LiquidityChangeSchema = describes<LiquidityChangeView>()(
  record('One change of liquidity. (txHash, logIndex) is unique.', {
    txHash: field(
      hashSchema,
      'Transaction of the change.',
      '0x5f1c7b9ae1d54c0a7f6f52b1b1c1d4b75a3a1f4c2f6f0e7d8c9b0a1f2e3d4c5b',
    ),
    logIndex,
    txIndex: eventFields.txIndex,
    block: field(SwapSchema.properties.block, 'Block of the change.', 24_880_412),
    ts: SwapSchema.properties.ts,
    kind: field(
      Type.Enum([...liquidityChangeKinds]),
      'remove also without a change, which collects fees.',
      'add',
    ),
    tickLower: field(tickSchema, 'Lower tick.', -28_080),
    tickUpper: field(tickSchema, 'Upper tick.', -28_020),
    liquidityDelta: field(
      Type.String({ pattern: '^(0|-?[1-9][0-9]*)$' }),
      'Change of the liquidity, negative for remove, as decimal text.',
      '1204880000000000',
    ),
    stockAmount: nullableTokens(`Stock tokens ${of}`, 1.5),
    otherAmount: nullableTokens(`Other tokens ${of}`, 0.0909),
    owner: field(
      nullable(addressSchema),
      'v3: owner of the position; null in v4.',
      '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be',
    ),
    sender: field(nullable(addressSchema), 'v4: caller of the PoolManager; null in v3.', null),
    salt: field(nullable(hashSchema), 'v4: salt of the position; null in v3.', null),
    settled: eventFields.settled,
  }),
)

export const LiquidityChangesSchema = describes<HistoryPage<LiquidityChangeView>>()(
  historySchema(LiquidityChangeSchema, 'A page of changes of liquidity.'),
)
