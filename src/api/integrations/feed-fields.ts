import { Type } from 'typebox'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { FeedFault, FeedRange } from '../../market/feed/feed.ts'
import { type Problem, problems } from '../http/problems.ts'
import type { QueryField, RequiredField } from '../http/query.ts'
import { addressField, integerField } from '../schemas/query-fields.ts'

/* What the formats of several aggregators share. */

/** As many decimal places as an aggregator reads. */
export const placesMax = 50

/** Bounds what one answer reads. */
const blocksMax = 10_000

/** Of a field that may be left out elsewhere. */
const required = <T>({
  absent: _absent,
  parse,
  ...field
}: QueryField<T | null>): RequiredField<T> => ({
  ...field,
  parse: (text) => parse(text) ?? undefined,
})

const blockField = (description: string): RequiredField<BlockNumber> =>
  required(integerField(description, { min: 0, max: Number.MAX_SAFE_INTEGER }, null))

export const feedRangeFields = {
  fromBlock: blockField('First block, included.'),
  toBlock: blockField(`Last block, included; at most ${blocksMax} blocks.`),
}

export const checkFeedRange = ({ fromBlock, toBlock }: FeedRange): Problem | null => {
  if (toBlock < fromBlock) return problems.invalidParameter('toBlock', 'fromBlock or later')
  if (toBlock - fromBlock < blocksMax) return null
  return problems.invalidParameter('toBlock', `less than ${blocksMax} blocks after fromBlock`)
}

export const tokenField: RequiredField<Address> = required(
  addressField('Address of a token; case-insensitive.'),
)

export const feedProblem = (fault: FeedFault): Problem => {
  switch (fault.kind) {
    case 'not-announced':
      return problems.blockNotSettled(fault.last)
    case 'too-many-events':
      return problems.invalidParameter(
        'toBlock',
        `lower: these blocks have more than ${fault.eventsMax} events`,
      )
    case 'incomplete':
      return problems.blocksIncomplete
    case 'history-pruned':
      return problems.historyPruned(fault.keptSince)
  }
}

/** Decimal text with a fraction: numbers would lose digits. */
export const amountSchema = Type.String({
  pattern: '^(0|[1-9][0-9]*)\\.[0-9]+$',
  'x-unit': 'whole tokens',
})
export const nativePriceSchema = Type.String({
  pattern: '^(0|[1-9][0-9]*)\\.[0-9]+$',
  'x-unit': 'asset1 per asset0',
})
