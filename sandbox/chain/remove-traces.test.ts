import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { removeTraces } from './remove-traces.ts'

const dir = mkdtempSync(join(tmpdir(), 'slim-'))
const path = join(dir, 'state.json')

afterEach(() => rmSync(path, { force: true }))

const withoutTraces = (text: string): string => {
  writeFileSync(path, text)
  removeTraces(path)
  return readFileSync(path, 'utf8')
}

test('empties every traces array at any depth and keeps everything else', () => {
  const before = { a: [1], tx: [{ traces: [{ logs: [[1], []] }], out: [2] }, { traces: [] }] }
  const after = { a: [1], tx: [{ traces: [], out: [2] }, { traces: [] }] }

  expect(JSON.parse(withoutTraces(JSON.stringify(before)))).toEqual(after)
})

test('keeps a state without traces unchanged', () => {
  expect(withoutTraces('{"accounts":{}}')).toBe('{"accounts":{}}')
})

test('rejects a truncated state', () => {
  expect(() => withoutTraces('{"traces":[[1]')).toThrow('ends within an array')
})
