import type { Outcome } from '../../domain/outcome.ts'
import { type Problem, problems } from '../http/problems.ts'
import { type FieldValues, parseQuery, type QueryFields } from '../http/query.ts'
import { orStoreUnavailable, type RouteContext, type TextRoute } from '../routes/route.ts'

/*
 * The Universal Data Feed of TradingView's charting library, by its public convention:
 * https://www.tradingview.com/charting-library-docs/latest/connecting_data/UDF
 */

type UdfDefinition<Q extends QueryFields> = Pick<TextRoute, 'summary'> & {
  readonly path: `/udf/${string}`
  readonly queryFields: Q
  readonly answer: (
    context: RouteContext,
    query: FieldValues<Q>,
  ) => Promise<Outcome<unknown, Problem>>
}

/** Errors are responses too, in the form that charting libraries show: `s: "error"`. */
const toError = ({ detail }: Problem): string => JSON.stringify({ s: 'error', errmsg: detail })

export const defineUdfRoute = <const Q extends QueryFields>({
  answer,
  ...route
}: UdfDefinition<Q>): TextRoute => ({
  ...route,
  type: 'application/json; charset=utf-8',
  cache: 'data',
  rateLimited: true,
  render: async (context, _params, rawQuery) => {
    const query = parseQuery(route.queryFields, rawQuery)
    if (!query.ok) return toError(query.fault)
    if (!context.market.isReady()) return toError(problems.notReady)
    const result = await orStoreUnavailable(context, () => answer(context, query.value))
    return result.ok ? JSON.stringify(result.value) : toError(result.fault)
  },
})
