import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { removeTraces } from './remove-traces.ts'

const dir = mkdtempSync(join(tmpdir(), 'slim-'))
const path = join(dir, 'state.json')

afterEach(() => rmSync(path, { force: true }))

const slimmed = (text: string): string => {
  writeFileSync(path, text)
  removeTraces(path)
  return readFileSync(path, 'utf8')
}

test('empties every traces array, however deep it goes, and leaves the rest alone', () => {
  const before = { a: [1], tx: [{ traces: [{ logs: [[1], []] }], out: [2] }, { traces: [] }] }
  const after = { a: [1], tx: [{ traces: [], out: [2] }, { traces: [] }] }

  expect(JSON.parse(slimmed(JSON.stringify(before)))).toEqual(after)
})

test('a state without traces stays as it is', () => {
  expect(slimmed('{"accounts":{}}')).toBe('{"accounts":{}}')
})

test('a state that was cut off is refused', () => {
  expect(() => slimmed('{"traces":[[1]')).toThrow('ends within an array')
})
