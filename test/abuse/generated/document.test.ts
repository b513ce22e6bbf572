import { beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../support/api/harness.ts'
import { compileSchema, listOperations, type OpenApi } from './document.ts'

/* What OpenAPI 3.1.0 asks of a document, where generators stumble over it. */

let document: OpenApi
beforeAll(async () => {
  const server = await startServer()
  document = (await server.request('/api/v1/openapi.json')).json()
  await server.close()
})

const templateNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

describe('operations', () => {
  test('have unique ids that are identifiers in every language', () => {
    const ids = listOperations(document).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/)
  })

  test('have described tags and valid methods', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { method, operation } of listOperations(document)) {
      expect(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']).toContain(method)
      expect(tags).toEqual(expect.arrayContaining([...operation.tags]))
    }
  })
})

test('paths start with a slash and differ by more than parameter names', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  expect(new Set(shapes).size).toBe(shapes.length)
  for (const shape of shapes) expect(shape).toMatch(/^\/[^?#]*$/)
})

describe('parameters', () => {
  test('of a path are all declared and required', () => {
    for (const { path, operation } of listOperations(document)) {
      const inPath = operation.parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => name).toSorted()).toEqual([...templateNames(path)].toSorted())
      expect(inPath.filter(({ required }) => required !== true)).toEqual([])
    }
  })

  test('are unique by name and location and have valid defaults', () => {
    for (const { operation } of listOperations(document)) {
      const keys = operation.parameters.map((each) => `${each.in} ${each.name}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const { name, schema } of operation.parameters) {
        if (schema.default === undefined) continue
        expect([name, compileSchema(schema, document)(schema.default)]).toEqual([name, true])
      }
    }
  })
})

describe('responses', () => {
  test('have a known status, a description and valid examples', () => {
    for (const { path, operation } of listOperations(document)) {
      expect(Object.keys(operation.responses)).toContain('200')
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/)
        expect(response.description).not.toBe('')
        for (const { schema, example, examples } of Object.values(response.content ?? {})) {
          // Either one or several (OpenAPI 3.1.0 §4.8.14.1).
          expect(example === undefined || examples === undefined).toBe(true)
          const validate = compileSchema(schema, document)
          const all = [example, ...Object.values(examples ?? {}).map(({ value }) => value)]
          for (const each of all.filter((one) => one !== undefined)) {
            validate(each)
            expect([path, status, validate.errors ?? []]).toEqual([path, status, []])
          }
        }
      }
    }
  })

  test('have no headers that OpenAPI ignores', () => {
    for (const { operation } of listOperations(document)) {
      for (const { headers = {} } of Object.values(operation.responses)) {
        const names = Object.keys(headers).map((name) => name.toLowerCase())
        expect(names).not.toContain('content-type')
        expect(new Set(names).size).toBe(names.length)
      }
    }
  })
})

test('components have valid names and are draft 2020-12 schemas', () => {
  const { schemas } = document.components
  expect(Object.keys(schemas).length).toBeGreaterThan(10)
  for (const [name, schema] of Object.entries(schemas)) {
    expect(name).toMatch(/^[A-Za-z0-9._-]+$/)
    expect(() => compileSchema(schema, document)).not.toThrow()
  }
})

/** What 3.1 took from JSON Schema, it took out of its own words. */
test('has no OpenAPI 3.0 keywords', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  const text = JSON.stringify(document)
  for (const word of ['"nullable":', '"exclusiveMinimum":true', '"exclusiveMaximum":true']) {
    expect(text).not.toContain(word)
  }
})
