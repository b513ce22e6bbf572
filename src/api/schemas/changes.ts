import { Type } from 'typebox'
import type { ResyncChange, RollbackChange, SwapChange } from '../../market/changes.ts'
import {
  describes,
  field,
  nullableBlock,
  poolIdSchema,
  record,
  unixSecondsSchema,
} from './fields.ts'
import { SwapSchema } from './pool-detail.ts'

export const SwapChangeSchema = describes<SwapChange>()(
  record('A swap and the pool that it happened in.', {
    poolId: field(poolIdSchema, 'The pool.', '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'),
    stockSymbol: field(Type.String(), "The ticker of the pool's stock.", 'NVDA'),
    ...SwapSchema.properties,
  }),
)

export const RollbackChangeSchema = describes<RollbackChange>()(
  record('The chain replaced blocks; the swaps of the new branch follow.', {
    afterBlock: nullableBlock(
      'The common ancestor: swaps above it are no longer valid; null: none is.',
      1_204_880,
    ),
    ts: field(
      unixSecondsSchema,
      'Time of the last indexed block of the new branch.',
      1_795_215_600,
    ),
  }),
)

export const ResyncChangeSchema = describes<ResyncChange>()(
  record('More has changed than single events can carry: refetch everything.', {
    reason: field(
      Type.Enum(['too_many_changes', 'another_chain', 'events_missed']),
      'Why; events_missed: some events are no longer available, or may never have been sent.',
      'events_missed',
    ),
  }),
)
