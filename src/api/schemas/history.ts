import { type TSchema, Type } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { historyOrders } from '../../domain/views/history.ts'
import type { HistoryQuery } from '../../market/history.ts'
import { cursorSchema, decodeCursor, isCursorText } from '../http/cursor.ts'
import { type Problem, problems } from '../http/problems.ts'
import { blockSchema, field, listOf, nullable, record } from './fields.ts'
import { choiceField, integerField, optionalField } from './query-fields.ts'

/* The common form of all lists of past rows: parameters, cursor, page (docs/api.md). */

const historyRowsMax = 1000
const historyRowsDefault = 100
/** The year 9999. */
export const tsMax = 253_402_300_799

const cursorRule = 'the `next` of a page of the same list'

export const historyFields = {
  limit: integerField('Rows per page.', { min: 1, max: historyRowsMax }, historyRowsDefault),
  cursor: optionalField(
    {
      description: 'Continues after a page.',
      rule: cursorRule,
      schema: Type.String(cursorSchema),
      parse: (text) => (isCursorText(text) ? text : undefined),
    },
    null,
  ),
  from: integerField(
    'Only rows of this time or later, in Unix seconds.',
    { min: 0, max: tsMax },
    null,
  ),
  to: integerField(
    'Only rows of this time or earlier, in Unix seconds.',
    { min: 0, max: tsMax },
    null,
  ),
  order: choiceField('Oldest or newest first.', historyOrders, 'desc'),
}

type HistoryValues = {
  readonly limit: number
  readonly cursor: string | null
  readonly from: number | null
  readonly to: number | null
  readonly order: (typeof historyOrders)[number]
}

/** What single fields cannot check. */
export const checkHistory = ({ from, to }: HistoryValues): Problem | null =>
  from !== null && to !== null && from > to
    ? problems.invalidParameter('from', 'at most `to`')
    : null

/** The query of a list; fails for a cursor of another list. `scope` names the list. */
export const toHistoryQuery = <Cursor>(
  { limit, cursor, from, to, order }: HistoryValues,
  scope: readonly string[],
  parse: (payload: string) => Cursor,
): Outcome<HistoryQuery<Cursor>, Problem> => {
  const payload = cursor === null ? null : decodeCursor(scope, cursor)
  if (payload === undefined) return failure(problems.invalidParameter('cursor', cursorRule))
  const place = payload === null ? null : parse(payload)
  return success({ limit, cursor: place, fromTs: from, toTs: to, order })
}

export const historySchema = <S extends TSchema>(item: S, description: string) =>
  record(description, {
    items: field(listOf(item, historyRowsMax), 'The rows of this page.', []),
    next: field(
      nullable(Type.String(cursorSchema)),
      'Cursor of the next page; null at the end. A page may have fewer rows than `limit` before.',
      'kJ3x_0QaMTc5NTIxNTYwMA',
    ),
    asOfBlock: field(
      nullable(blockSchema),
      'Last indexed block; null before the first.',
      24_880_412,
    ),
    complete: field(
      Type.Boolean(),
      'False if rows of the requested range are missing: not backfilled yet, or deleted.',
      true,
    ),
  })
