import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createProjection } from './serialize.ts'

const inner = Type.Object({ a: Type.Number(), b: Type.Union([Type.String(), Type.Null()]) })
const schema = Type.Object({
  rows: Type.Array(inner),
  maybe: Type.Union([inner, Type.Null()]),
  texts: Type.Array(Type.String()),
})

describe('a projection', () => {
  it('copies the listed properties in order at every depth', () => {
    const row = { secret: 1, b: null, a: 2 }
    const value = { texts: ['x'], secret: 'x', maybe: row, rows: [row, row] }
    expect(JSON.stringify(createProjection(schema)?.(value))).toBe(
      '{"rows":[{"a":2,"b":null},{"a":2,"b":null}],"maybe":{"a":2,"b":null},"texts":["x"]}',
    )
  })

  it('keeps null', () => {
    const projected = createProjection(schema)?.({ rows: [], maybe: null, texts: [] })
    expect(projected).toEqual({ rows: [], maybe: null, texts: [] })
  })
})
