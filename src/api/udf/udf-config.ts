import { success } from '../../domain/outcome.ts'
import type { TextRoute } from '../routes/route.ts'
import { udfExchange, udfResolutions } from './udf-fields.ts'
import { defineUdfRoute } from './udf-route.ts'

export const udfConfigRoute = defineUdfRoute({
  path: '/udf/config',
  summary: 'Says what the data feed for charting libraries (UDF) offers.',
  queryFields: {},
  answer: async () =>
    success({
      supported_resolutions: udfResolutions,
      ...{ supports_search: true, supports_group_request: false, supports_time: true },
      ...{ supports_marks: false, supports_timescale_marks: false },
      exchanges: [
        { value: '', name: 'All exchanges', desc: '' },
        { value: udfExchange, name: udfExchange, desc: 'Uniswap pools of tokenized stocks' },
      ],
      symbols_types: [
        { name: 'All types', value: '' },
        { name: 'Stocks', value: 'stock' },
        { name: 'Pools', value: 'pool' },
      ],
    }),
})

export const udfTimeRoute: TextRoute = {
  path: '/udf/time',
  summary: 'Returns the time of the service in Unix seconds, as text (UDF).',
  type: 'text/plain; charset=utf-8',
  cache: 'no-store',
  rateLimited: true,
  render: ({ market }) => String(market.status().ts),
}
