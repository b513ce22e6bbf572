import { OpenAPIClientAxios } from 'openapi-client-axios'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, it } from 'vitest'
import { startForTest, startServer } from '../../../test/support/api/harness.ts'
import { catalogue } from '../catalogue.ts'
import { ProblemSchema } from '../http/problem-schema.ts'
import { describeError } from '../http/problems.ts'

const { rawRoutes, endpoints } = catalogue

type Json = Record<string, unknown>
type Operation = {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly schema: Json }[]
  readonly responses: Record<string, { readonly description: string; readonly content?: Json }>
}

let document: {
  readonly openapi: string
  readonly paths: Record<string, { readonly get?: Operation; readonly post?: Operation }>
  readonly components: { readonly schemas: Record<string, Json> }
}
beforeAll(async () => {
  const server = await startServer()
  document = (await server.request('/api/v1/openapi.json')).json()
  await server.close()
})

const everythingIn = (value: unknown): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap(everythingIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(everythingIn)]
}

describe('the document', () => {
  it('describes every endpoint under one name', () => {
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each))
    const names = operations.map(({ operationId }) => operationId)
    expect(names).toHaveLength(endpoints.length + rawRoutes.length)
    expect(new Set(names).size).toBe(names.length)
  })

  it('resolves all its references', () => {
    const refs = everythingIn(document).flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref] : [],
    )
    expect(refs.length).toBeGreaterThan(20)
    const known = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    )
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([])
  })

  it('describes each property with an example', () => {
    const properties = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties as Record<string, Json>).map(
        ([property, each]) => [`${name}.${property}`, each] as const,
      ),
    )
    const mute = properties.filter(
      ([, each]) => each.description === undefined && !('$ref' in each),
    )
    expect(mute.map(([name]) => name)).toEqual([])
  })

  it('describes the stream with its parameters and MCP with its messages', () => {
    const { get } = document.paths['/api/v1/stream'] ?? {}
    const parameters = get?.parameters.map(({ name }) => name)
    expect(parameters).toEqual(['topics', 'symbol', 'id', 'lastEventId'])
    expect(get?.responses[200]?.content).toHaveProperty('text/event-stream')
    const { post } = document.paths['/mcp'] ?? {}
    expect(post).toHaveProperty('requestBody.content.application/json.schema')
    expect(post?.responses[200]?.content).toHaveProperty('application/json')
    expect(Object.keys(post?.responses ?? {})).toContain('413')
  })

  it('documents each error code of a parameter', () => {
    for (const endpoint of endpoints) {
      const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.get
      for (const { errorCode } of Object.values(endpoint.queryFields)) {
        const response = operation?.responses[describeError(errorCode).status]
        expect(response?.description).toContain(errorCode)
      }
    }
  })

  it('has a problem document as example of every error', () => {
    const problems = Compile(ProblemSchema)
    const examples = everythingIn(document.paths).flatMap((each) => {
      const content = each['application/problem+json'] as { examples?: Json } | undefined
      return Object.values(content?.examples ?? {}) as { value: unknown }[]
    })
    expect(examples.length).toBeGreaterThan(20)
    for (const { value } of examples) expect(problems.Errors(value)).toEqual([])
  })
})

it('is sufficient for a generated client', async () => {
  const { port } = await startForTest()
  const api = new OpenAPIClientAxios({
    definition: `http://127.0.0.1:${port}/api/v1/openapi.json`,
    withServer: { url: `http://127.0.0.1:${port}` },
  })
  const client = await api.init()
  const page = await client.listPools?.({ limit: 2, kind: 'meme' })
  expect(page?.data).toMatchObject({ total: 1, limit: 2 })
  const { data } = (await client.getPool?.({ id: page?.data.items[0].id, range: '7d' })) ?? {}
  expect(data.pool.id).toBe(page?.data.items[0].id)
  await expect(client.listPools?.({ limit: 51 })).rejects.toMatchObject({
    response: { status: 400, data: { error: { code: 'invalid_parameter', param: 'limit' } } },
  })
})
