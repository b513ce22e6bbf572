import { expect, test } from 'vitest'
import { createLogger, type LoggerDeps } from './logger.ts'

const logged = (level: LoggerDeps['level']) => {
  const lines: string[] = []
  const clock = { now: () => 1_795_215_600 }
  const logger = createLogger({ level, clock, write: (line) => lines.push(line) })
  return { logger, lines, rows: () => lines.map((line) => JSON.parse(line)) }
}

test('a line is one JSON object with level, time, fields and message', () => {
  const { logger, lines, rows } = logged('info')
  logger.info('batch written', { events: 12, to: 7n })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('}\n')).toBe(true)
  expect(rows()).toEqual([
    { level: 'info', ts: 1_795_215_600, message: 'batch written', events: 12, to: '7' },
  ])
})

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('level %s lets %j through', (level, expected) => {
  const { logger, rows } = logged(level)
  for (const method of ['debug', 'info', 'warn', 'error'] as const) logger[method]('x')
  expect(rows().map((row) => row.level)).toEqual(expected)
})

test('a field cannot replace a reserved one', () => {
  const { logger, lines, rows } = logged('info')
  logger.info('real', { message: 'false', ts: 1, level: 'error' })
  expect(lines[0]?.match(/"message":/g)).toHaveLength(1)
  expect(rows()[0]).toMatchObject({ message: 'real', message_: 'false', ts_: 1, level_: 'error' })
})

test('no key gets into a line, by message or by field', () => {
  const { logger, lines } = logged('debug')
  const url = 'https://rpc.example/v2/c4n4ry'
  logger.error(`no answer from ${url}`, { url, error: new Error(url) })
  expect(lines.join()).not.toContain('c4n4ry')
  expect(lines.join()).toContain('no answer from rpc.example')
})
