import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/support/api/harness.ts'
import { success } from '../domain/outcome.ts'
import { catalogue } from './catalogue.ts'
import { defineEndpoint } from './routes/route.ts'
import { countSchema, field, record } from './schemas/fields.ts'
import { limitField } from './schemas/query-fields.ts'

/* What docs/architecture.md promises: an endpoint is a definition and a line of the catalogue. */

const echoEndpoint = defineEndpoint({
  path: '/api/v1/echo/:word',
  operationId: 'getEcho',
  description: 'Says what it is asked to say.',
  tag: 'market',
  summary: 'The word again, and how often.',
  rateLimited: true,
  pathFields: {
    word: {
      description: 'What to say.',
      rule: 'lower case letters',
      schema: Type.String(),
      errorCode: 'invalid_parameter',
      parse: (text: string) => (/^[a-z]+$/.test(text) ? text : undefined),
    },
  },
  queryFields: { limit: limitField },
  schema: record('An echo.', {
    heard: field(Type.String(), 'The word that was heard.', 'hello'),
    times: field(countSchema, 'How often it is said.', 3),
  }),
  answer: (_context, { path, query }) => success({ heard: path.word, times: query.limit }),
})

let server: TestServer
beforeAll(async () => {
  const endpoints = [...catalogue.endpoints, echoEndpoint]
  server = await startServer({ catalogue: { ...catalogue, endpoints } })
  return server.close
})

test('an added endpoint responds and rejects like all others', async () => {
  const { status, headers, text } = await server.request('/api/v1/echo/hello?limit=7')
  expect([status, text]).toEqual([200, '{"heard":"hello","times":7}'])
  expect(headers).toHaveProperty('etag')
  const asked = ['/api/v1/echo/HELLO', '/api/v1/echo/a?limit=51', '/api/v1/echo/a?loud=1']
  const refused = await Promise.all(asked.map((path) => server.request(path)))
  expect(refused.map((reply) => reply.json().error)).toMatchObject([
    { code: 'invalid_parameter', param: 'word' },
    { code: 'invalid_parameter', param: 'limit' },
    { code: 'unknown_parameter', param: 'loud' },
  ])
  expect((await server.request('/api/v1/echo/a', { method: 'POST' })).status).toBe(405)
})

test('the OpenAPI document describes it with its parameters and its fields', async () => {
  const { paths } = (await server.request('/api/v1/openapi.json')).json()
  const { get } = paths['/api/v1/echo/{word}']
  expect(get).toMatchObject({
    operationId: 'getEcho',
    parameters: [
      { name: 'word', in: 'path' },
      { name: 'limit', in: 'query' },
    ],
  })
  const { schema, example } = get.responses[200].content['application/json']
  expect(schema.properties.times).toMatchObject({ description: 'How often it is said.' })
  expect(example).toEqual({ heard: 'hello', times: 3 })
})

test.each(['/docs', '/llms.txt', '/api/v1'])('%s lists it', async (path) => {
  const { text } = await server.request(path)
  expect(text).toContain('/api/v1/echo/:word')
  expect(text).toContain('The word again, and how often.')
  if (path === '/docs') expect(text).toContain('The word that was heard.')
})

test('metrics count its requests by path', async () => {
  const { text } = await server.request('/metrics')
  expect(text).toContain('route="/api/v1/echo/:word",status="200"')
})

test('GET /api/v1 lists the parameters of the stream', async () => {
  const { endpoints } = (await server.request('/api/v1')).json()
  const stream = endpoints.find(({ path }: { path: string }) => path === '/api/v1/stream')
  const names = stream.parameters.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['topics', 'symbol', 'id', 'lastEventId'])
})
