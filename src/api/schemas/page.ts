import { type TSchema, Type } from 'typebox'
import { countSchema, field, listOf, record } from './fields.ts'

export const limitMax = 50
export const limitDefault = 25
export const offsetMax = 1_000_000

/** One page of a list; `total` counts the matches before paging. */
export const pageSchema = <S extends TSchema>(item: S, description: string) =>
  record(description, {
    items: field(listOf(item, limitMax), 'The rows of this page.', []),
    total: field(countSchema, 'Rows that match, on all pages.', 0),
    limit: field(
      Type.Integer({ minimum: 1, maximum: limitMax, 'x-unit': 'rows' }),
      'Rows asked for.',
      limitDefault,
    ),
    offset: field(
      Type.Integer({ minimum: 0, maximum: offsetMax, 'x-unit': 'rows' }),
      'Rows left out before the first.',
      0,
    ),
  })
