import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/api/harness.ts'
import { success } from '../../domain/outcome.ts'
import type { StockView } from '../../domain/views/stock.ts'
import { catalogue } from '../catalogue.ts'
import { listSchemaFields } from '../docs/schema-table.ts'
import { exampleFromSchema } from '../openapi/components.ts'
import { describes, field, record } from '../schemas/fields.ts'
import { StockSchema } from '../schemas/stock.ts'
import { defineEndpoint } from './route.ts'

/* Plays "adding a field": a property of the view and a line of the schema are all it takes. */

type ListedStockView = StockView & { readonly exchange: string }

const ListedStockSchema = describes<ListedStockView>()(
  record('A tokenized stock.', {
    ...StockSchema.properties,
    exchange: field(Type.String(), 'Exchange that lists the share.', 'XNAS'),
  }),
)

const listedStock = { ...exampleFromSchema(StockSchema), exchange: 'XNYS', internal: true }

const listedStockEndpoint = defineEndpoint({
  path: '/api/v1/listed-stock',
  operationId: 'getListedStock',
  description: 'Says what it is asked to say.',
  tag: 'market',
  summary: 'A stock with an added field.',
  rateLimited: true,
  schema: ListedStockSchema,
  answer: () => success(listedStock),
})

let server: TestServer
beforeAll(async () => {
  const endpoints = [...catalogue.endpoints, listedStockEndpoint]
  server = await startServer({ catalogue: { ...catalogue, endpoints } })
  return server.close
})

test('an added field appears in responses, and unlisted ones do not', async () => {
  const stock = (await server.request('/api/v1/listed-stock')).json()
  expect(stock.exchange).toBe('XNYS')
  expect(stock).not.toHaveProperty('internal')
})

test('an added field appears in OpenAPI', async () => {
  const { paths } = (await server.request('/api/v1/openapi.json')).json()
  const { content } = paths['/api/v1/listed-stock'].get.responses[200]
  const { schema, example } = content['application/json']
  expect(schema.required).toContain('exchange')
  expect(schema.properties.exchange.description).toBe('Exchange that lists the share.')
  expect(example.exchange).toBe('XNAS')
})

test('an added field appears in /docs and in the tables of docs/api.md', async () => {
  expect((await server.request('/docs')).text).toContain('Exchange that lists the share.')
  expect(listSchemaFields(ListedStockSchema).at(-1)).toMatchObject({
    path: 'exchange',
    type: 'string',
    meaning: 'Exchange that lists the share.',
  })
})
