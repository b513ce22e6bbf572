import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Stock } from '../../src/domain/stock/stock.ts'
import { createWatch, iso, newYork } from './watch.ts'

/*
 * The table of year.md, line by line. Nothing here knows a rule: it reads the table, plays what
 * the world says, and formats the rows of the API as the table does.
 */

type Line = {
  readonly at: string
  readonly what: string
  readonly issuer: string
  readonly oracle: string
  readonly token: string
  readonly look: string
  readonly expected: readonly string[]
}

const lineOf = (text: string): Line => {
  const cells = text.split('|').map((cell) => cell.trim())
  const [, at = '', what = '', issuer = '', oracle = '', token = '', look = ''] = cells
  return { at, what, issuer, oracle, token, look, expected: cells.slice(7, 13) }
}

const text = readFileSync(new URL('./year.md', import.meta.url), 'utf8')
const chapters = text
  .split('\n## ')
  .slice(1)
  .map((chapter) => {
    const [title = '', ...lines] = chapter.split('\n')
    return { title, lines: lines.filter((line) => line.startsWith('| 20')).map(lineOf) }
  })

const secondsOf = (part: string): number => Number(/(-?\d+) s\b/.exec(part)?.[1] ?? 0)

/** What the issuer says in one entry of the column, and when by its own clock. */
const issuerAnswerOf = (entry: string, now: number) => {
  if (entry === '-') return null
  const [sides = '', time = '', halt] = entry.split(', ')
  const [bid, ask] = sides.split(' / ').map((side) => (side === '-' ? '' : side))
  const ts = now - secondsOf(time)
  const generatedAt = time === 'ms' ? `${now * 1000}` : iso(ts)
  return { ts, row: { bid, ask, isTradingHalt: halt === 'halted', generatedAt } }
}

const oracleOf = (cell: string, now: number) => {
  const [usd, age = ''] = cell.split(', ')
  return cell === '-' ? null : { usd: Number(usd), ts: now - secondsOf(age) }
}

const one = 10n ** 18n

const tokenOf = (cell: string, now: number): Partial<Stock> => {
  if (cell === 'paused') return { oraclePaused: true }
  if (cell === 'unread') return { multiplier: null, readTs: null, readFailed: true }
  if (cell.startsWith('read ')) return { readTs: now - secondsOf(cell), readFailed: true }
  const match = /^×(\d+) (in|known since) (-?\d+) s$/.exec(cell)
  if (match === null) return {}
  const [factor, seconds] = [BigInt(match[1] ?? 1) * one, Number(match[3])]
  return match[2] === 'in'
    ? { multiplier: one, pendingMultiplier: factor, multiplierEffectiveTs: now + seconds }
    : { multiplier: factor, pendingMultiplier: factor, multiplierEffectiveTs: now - seconds }
}

const statusOf = (row: { dataStatus: string; statusReasons: readonly string[] }): string =>
  [row.dataStatus, row.statusReasons.join(' ')].filter((each) => each !== '').join(': ')

const gapOf = (row: { premiumBps: number | null; driftBps: number | null }): string => {
  if (row.premiumBps !== null) return `premium ${Math.round(row.premiumBps)}`
  return row.driftBps === null ? '-' : `drift ${Math.round(row.driftBps)}`
}

const play = async (line: Line) => {
  const now = newYork(line.at)
  const watch = createWatch()
  watch.setStock(tokenOf(line.token, now))
  const [, pools, usd] = /^(\d+) pools? at (\d+)$/.exec(line.token) ?? []
  watch.setPools(Number(pools ?? 0), Number(usd ?? 0))
  const oracle = oracleOf(line.oracle, now)
  const lookTs = now - secondsOf(line.look)
  const answers = line.issuer.split('; ').map((entry) => issuerAnswerOf(entry, now))
  for (const [index, answer] of answers.entries()) {
    const isLast = index === answers.length - 1
    const ts = isLast ? lookTs : Math.min(answer?.ts ?? lookTs, lookTs)
    // A feed has no answer before its time; only the last look may see one ahead of our clock.
    const isThere = isLast || (oracle !== null && oracle.ts <= ts)
    watch.publish({ issuer: answer?.row ?? null, oracle: isThere ? oracle : null })
    await watch.look(ts)
  }
  return { now, ...(await watch.read(now)) }
}

describe.each(chapters)('$title', ({ lines }) => {
  test.each(lines)('$at: $what', async (line) => {
    const { now, stock, pool } = await play(line)
    const { quoteSource, quoteTs, quoteUsd } = stock
    const age = `${quoteSource} ${now - (quoteTs ?? 0)} s`
    const quote = quoteSource === null ? '-' : quoteUsd === null ? `${age}, no price` : age
    expect([
      stock.marketSession,
      quote,
      statusOf(stock),
      statusOf(pool),
      gapOf(pool),
      pool.comparable ? 'yes' : 'no',
    ]).toEqual(line.expected)
    expect(gapOf(stock)).toBe(gapOf(pool))
  })
})

test('there is a year of it', () => {
  expect(chapters.flatMap(({ lines }) => lines).length).toBeGreaterThanOrEqual(100)
})
