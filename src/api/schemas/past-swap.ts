import { Type } from 'typebox'
import type { HistoryPage, PastSwapView } from '../../domain/views/history.ts'
import { swapSides } from '../../domain/views/swap-quote.ts'
import { SwapChangeSchema } from './changes.ts'
import { addressSchema, describes, field, nullable, record } from './fields.ts'
import { historySchema } from './history.ts'
import { addressField, choiceField, usdMinField } from './query-fields.ts'

export const swapFilterFields = {
  side: choiceField('Only swaps in which the trader buys or sells stock.', swapSides, null),
  minUsd: usdMinField('Only swaps of at least so many US dollars; others may have no value.'),
  trader: addressField('Only swaps in transactions of this sender, where it is known.'),
  sender: addressField('Only swaps with this caller of the pool, usually a router.'),
}

/** The place of an event's transaction; whether its block is final. */
export const eventFields = {
  txIndex: field(
    nullable(Type.Integer({ minimum: 0, 'x-unit': 'position in the block' })),
    'Index of the transaction in its block; null if it was stored without.',
    4,
  ),
  settled: field(
    Type.Boolean(),
    'Its block has passed the finality check; before, the chain may still replace it.',
    true,
  ),
}

export const PastSwapSchema = describes<PastSwapView>()(
  record('One confirmed swap. (txHash, logIndex) is unique.', {
    ...SwapChangeSchema.properties,
    ...eventFields,
    trader: field(
      nullable(addressSchema),
      'Sender of the transaction; null where it is not read, or not yet.',
      '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be',
    ),
  }),
)

export const SwapsSchema = describes<HistoryPage<PastSwapView>>()(
  historySchema(PastSwapSchema, 'A page of swaps.'),
)
