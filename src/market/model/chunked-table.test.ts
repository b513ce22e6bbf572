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

/* A table does what an array does that is copied for each change:
 *
 *     [ -, a, b ]   set 2 = c, set 5 = d   ->   [ -, a, c, -, -, d ],  other at 2 and 5
 */

type Values = readonly (string | undefined)[]

const number = fc.oneof(fc.nat(5), fc.nat(poolsPerChunk * 4))
const change = fc.tuple(number, fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }))
const steps = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 })

const differing = (a: Values, b: Values): readonly number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, at) => at).filter(
    (at) => a[at] !== b[at],
  )

test('a table follows an array through any changes, and stays as it was', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const tables = [tableOf<string>([])]
      const arrays: Values[] = [[]]
      for (const changes of all) {
        const draft = editTable(tables.at(-1) ?? [])
        const array = [...(arrays.at(-1) ?? [])]
        for (const [at, value] of changes) {
          draft.set(at, value)
          array[at] = value
        }
        tables.push(draft.finish())
        arrays.push(array)
      }
      for (const [at, array] of arrays.entries()) {
        const table = tables[at] ?? []
        const places = poolsPerChunk * 5
        expect(Array.from({ length: places }, (_, place) => getByNumber(table, place))).toEqual(
          Array.from({ length: places }, (_, place) => array[place]),
        )
        expect([...iterateValues(table)]).toEqual(array.filter((value) => value !== undefined))
        for (const [other, second] of arrays.entries()) {
          expect(changedNumbers(table, tables[other] ?? [])).toEqual(differing(array, second))
        }
      }
    }),
  )
})

test('what did not change is the same piece, and what follows from it is not made twice', () => {
  const before = tableOf(Array.from({ length: poolsPerChunk * 3 }, (_, at) => at))
  const draft = editTable(before)
  draft.set(poolsPerChunk + 7, -1)
  const after = draft.finish()
  expect(after.map((piece, at) => piece === before[at])).toEqual([true, false, true])
  expect(editTable(after).finish()).toBe(after)
  const made: number[] = []
  const firstOf = memoizePerChunk<number, number | undefined>((piece) => {
    made.push(piece[0] ?? 0)
    return piece[0]
  })
  expect([...before, ...after].map(firstOf)).toEqual([0, 256, 512, 0, 256, 512])
  expect(made).toEqual([0, 256, 512, 256])
})
