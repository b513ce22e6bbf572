import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from '../../../test/support/market/pool-table.ts'
import {
  changedNumbers,
  editTable,
  getByNumber,
  iterateValues,
  memoizePerChunk,
  poolsPerChunk,
} from './chunked-table.ts'

/* A table behaves like an array that is copied for each change:
 *
 *     [ -, a, b ]   set 2 = c, set 5 = d   ->   [ -, a, c, -, -, d ],  changed at 2 and 5
 */

type Values = readonly (string | undefined)[]

const number = fc.oneof(fc.nat(5), fc.nat(poolsPerChunk * 4))
const change = fc.tuple(number, fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }))
const steps = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 })

const differing = (a: Values, b: Values): readonly number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, at) => at).filter(
    (at) => a[at] !== b[at],
  )

test('behaves like a copied array through any changes, and never changes itself', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const tables = [tableOf<string>([])]
      const arrays: Values[] = [[]]
      for (const changes of all) {
        const builder = editTable(tables.at(-1) ?? [])
        const array = [...(arrays.at(-1) ?? [])]
        for (const [at, value] of changes) {
          builder.set(at, value)
          array[at] = value
        }
        tables.push(builder.finish())
        arrays.push(array)
      }
      for (const [at, array] of arrays.entries()) {
        const table = tables[at] ?? []
        const numbers = poolsPerChunk * 5
        expect(Array.from({ length: numbers }, (_, at) => getByNumber(table, at))).toEqual(
          Array.from({ length: numbers }, (_, at) => array[at]),
        )
        expect([...iterateValues(table)]).toEqual(array.filter((value) => value !== undefined))
        for (const [other, second] of arrays.entries()) {
          expect(changedNumbers(table, tables[other] ?? [])).toEqual(differing(array, second))
        }
      }
    }),
  )
})

test('shares unchanged chunks and computes a result once per chunk', () => {
  const before = tableOf(Array.from({ length: poolsPerChunk * 3 }, (_, at) => at))
  const builder = editTable(before)
  builder.set(poolsPerChunk + 7, -1)
  const after = builder.finish()
  expect(after.map((chunk, at) => chunk === before[at])).toEqual([true, false, true])
  expect(editTable(after).finish()).toBe(after)
  const computed: number[] = []
  const firstOf = memoizePerChunk<number, { readonly first?: number | undefined }>((chunk) => {
    computed.push(chunk[0] ?? 0)
    return { first: chunk[0] }
  })
  const firsts = [...before, ...after].map((chunk) => firstOf(chunk).first)
  expect(firsts).toEqual([0, 256, 512, 0, 256, 512])
  expect(computed).toEqual([0, 256, 512, 256])
})
