import { Type } from 'typebox'
import { type CandleWidthName, candleWidthNames } from '../../domain/history/candle-range.ts'
import type { CandleView, HistoryPage } from '../../domain/views/history.ts'
import { candleFills, candlePrices } from '../../market/history.ts'
import type { RequiredField } from '../http/query.ts'
import {
  countSchema,
  describes,
  field,
  nullable,
  nullableTokens,
  nullableUsd,
  record,
} from './fields.ts'
import { historySchema } from './history.ts'
import { bucketTsField, closedField } from './pool-detail.ts'
import { choiceField } from './query-fields.ts'

export const widthField: RequiredField<CandleWidthName> = {
  description: 'Width of a candle.',
  rule: `one of ${candleWidthNames.join(', ')}`,
  schema: Type.Enum([...candleWidthNames]),
  errorCode: 'invalid_parameter',
  parse: (text) => candleWidthNames.find((name) => name === text),
}

export const priceField = choiceField(
  'Unit of the prices of one stock token: US dollars, or other tokens.',
  candlePrices,
  'usd',
)

export const fillField = choiceField(
  'Candles without swaps: left out, or with the price before.',
  candleFills,
  'none',
)

const price = (description: string, example: number) =>
  field(
    nullable(Type.Number({ minimum: 0, 'x-unit': 'US dollars or other tokens, as requested' })),
    description,
    example,
  )

export const CandleSchema = describes<CandleView>()(
  record('One candle. A price that is not known is null.', {
    ts: bucketTsField,
    open: price('First price.', 225.1),
    high: price('Highest price.', 226.02),
    low: price('Lowest price.', 224.9),
    close: price('Last price.', 225.4),
    volumeUsd: nullableUsd('Volume; null if a swap could not be priced.', 1_204.11),
    volumeStock: nullableTokens(
      'Stock tokens that changed hands; null if the swaps are not kept, or too many to add up.',
      5.342,
    ),
    swaps: field(countSchema, 'Swaps in the candle.', 3),
    closed: closedField,
  }),
)

export const CandlesSchema = describes<HistoryPage<CandleView>>()(
  historySchema(CandleSchema, 'A page of candles.'),
)
