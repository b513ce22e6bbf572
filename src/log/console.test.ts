import { expect, test } from 'vitest'
import { createConsole } from './console.ts'

/** A stream that keeps what is written, and a clock that is moved by hand. */
const scene = (isTTY: boolean, columns = 60) => {
  const written: string[] = []
  const time = { now: 45_296 }
  const stream = { isTTY, columns, write: (text: string) => written.push(text) }
  const output = createConsole({ stream, level: 'info', clock: { now: () => time.now } })
  return { ...output, written, time, text: () => written.join('') }
}

const step = { phase: 'swaps', done: 1000, total: 60_000, events: 5000 }

test('without a terminal everything is a JSON line', () => {
  const { logger, progress, text } = scene(false)
  logger.info('hello', { a: 1 })
  progress.bootstrap(step)
  progress.following('block 5')
  progress.end()
  const rows = text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map((row) => row.message)).toEqual([
    'hello',
    expect.stringMatching(/^In progress: /),
    'block 5',
  ])
  expect(rows[1]).toMatchObject({ ...step, eventsPerSecond: null, etaSeconds: null })
})

test('logs the progress every ten seconds and at each new phase', () => {
  const { progress, written, time } = scene(false)
  for (let second = 0; second <= 25; second += 1) {
    time.now += 1
    progress.bootstrap({ ...step, done: 1000 + second * 100, events: 5000 + second * 800 })
  }
  progress.bootstrap({ ...step, phase: 'done' })
  progress.following('block 5')
  progress.following('block 6')
  const rows = written.map((line) => JSON.parse(line))
  expect(rows.map(({ phase, done }) => [phase, done])).toEqual([
    ['swaps', 1000],
    ['swaps', 2000],
    ['swaps', 3000],
    ['done', 1000],
    [undefined, undefined],
  ])
  expect(rows[1]).toMatchObject({ eventsPerSecond: 800, etaSeconds: 580 })
})

test('on a terminal a log line is short and for people', () => {
  const { logger, text } = scene(true)
  logger.warn('endpoint is slow', { host: 'rpc.example', note: 'two words', ms: 900 })
  expect(text()).toBe(
    '12:34:56Z warn  endpoint is slow  host=rpc.example  note="two words"  ms=900\n',
  )
})

// phase  done/total (percent)  events/s  ETA, all on one line that replaces itself
test('on a terminal the progress is one live line', () => {
  const { progress, written, time } = scene(true)
  progress.bootstrap(step)
  time.now += 10
  progress.bootstrap({ ...step, done: 6000, events: 89_120 })
  expect(written).toEqual([
    '\r\u001b[2Kswaps      1,000/60,000 (1 %)',
    '\r\u001b[2Kswaps      6,000/60,000 (10 %)  8,412 events/s  ETA 01:48',
  ])
})

test('a log line goes above the live line, which stays', () => {
  const { progress, logger, written } = scene(true)
  progress.following('block 5')
  logger.info('hello')
  progress.following('block 5')
  progress.end()
  expect(written).toEqual([
    '\r\u001b[2Kblock 5',
    '\r\u001b[2K12:34:56Z info  hello\nblock 5',
    '\r\u001b[2K',
  ])
})

test('a live line never wraps', () => {
  const { progress, text } = scene(true, 10)
  progress.following('0123456789abcdef')
  expect(text()).toBe('\r\u001b[2K012345678')
})

test('a token cannot write to the terminal', () => {
  const { logger, progress, text } = scene(true)
  const hostile = 'A\u001b[2J\u0007\u202eB\r\nC\u0000\u200b'
  logger.info(hostile, { symbol: hostile })
  progress.following(hostile)
  const controls = [...text().replaceAll('\r\u001b[2K', '').replaceAll('\n', '')].filter((each) =>
    /[\p{Cc}\p{Cf}]/u.test(each),
  )
  expect(controls).toEqual([])
})

test('an ETA of hours shows hours', () => {
  const { progress, written, time } = scene(true, 200)
  progress.bootstrap({ ...step, done: 0 })
  time.now += 2
  progress.bootstrap({ ...step, done: 10, total: 36_010 })
  expect(written[1]).toContain('ETA 2:00:00')
})
