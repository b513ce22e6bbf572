import { type TSchema, Type } from 'typebox'
import { countSchema, field, listOf, record } from './fields.ts'

export const limitMax = 50
export const limitDefault = 25
export const offsetMax = 1_000_000

export const pageSchema = <S extends TSchema>(item: S, description: string) =>
  record(description, {
    items: field(listOf(item, limitMax), 'The rows of this page.', []),
    total: field(countSchema, 'Matching rows on all pages.', 0),
    limit: field(
      Type.Integer({ minimum: 1, maximum: limitMax, 'x-unit': 'rows' }),
      'Requested rows per page.',
      limitDefault,
    ),
    offset: field(
      Type.Integer({ minimum: 0, maximum: offsetMax, 'x-unit': 'rows' }),
      'Rows skipped before this page.',
      0,
    ),
  })
