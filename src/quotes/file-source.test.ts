import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileSource } from './file-source.ts'

const now = 1_795_215_610
const nvda = {
  address: `0x${'dd'.repeat(20)}`,
  symbol: 'NVDA',
  isStock: true,
  feedPer: 'token' as const,
  feed: null,
} as const
const aapl = {
  address: `0x${'aa'.repeat(20)}`,
  symbol: 'AAPL',
  isStock: true,
  feedPer: 'token' as const,
  feed: null,
} as const
const row = { symbol: 'NVDA', bid: 225.38, ask: 225.39, ts: 1_795_215_600, halted: false }

const start = async (first?: unknown) => {
  const folder = await mkdtemp(join(tmpdir(), 'quotes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'CANARY.json')
  let version = 0
  const write = async (content: unknown) => {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    // Two writes within one tick of the file system's clock must differ.
    await utimes(path, 1000, 1000 + version++)
  }
  if (first !== undefined) await write(first)
  return { source: createFileSource({ path }), write, path }
}

describe("quotes from the operator's file", () => {
  it('are read, per share', async () => {
    const { source } = await start({ quotes: [row, { ...row, symbol: 'TSLA' }] })
    expect(await source.read([nvda, aapl], now)).toEqual({
      ok: true,
      value: {
        quotes: [
          {
            address: nvda.address,
            source: 'file',
            per: 'share',
            bid: 225.38,
            ask: 225.39,
            last: null,
            publishedTs: 1_795_215_600,
            fetchedTs: now,
            halted: false,
            haltTs: 1_795_215_600,
            lapse: null,
          },
        ],
        refused: [],
        expected: 1,
      },
    })
  })

  it('follow the file when it changes, for better and for worse', async () => {
    const { source, write } = await start({ quotes: [row] })
    await source.read([nvda], now)
    await write({ quotes: [{ ...row, bid: 225.37 }] })
    expect(await source.read([nvda], now)).toMatchObject({ value: { quotes: [{ bid: 225.37 }] } })
    await write('{"quotes":[')
    expect(await source.read([nvda], now)).toMatchObject({ fault: { kind: 'malformed' } })
    await write({ quotes: [row] })
    expect(await source.read([nvda], now)).toMatchObject({ value: { quotes: [{ bid: 225.38 }] } })
  })

  it.each([
    [{ bid: 0 }, 'bid-not-positive'],
    [{ bid: 'x' }, 'bid-not-a-number'],
    [{ bid: 300 }, 'crossed'],
    [{ bid: null, ask: null }, 'price-missing'],
    [{ ts: 1_795_215_600_000 }, 'time-in-milliseconds'],
    [{ ts: '1795215600' }, 'time-malformed'],
    [{ ts: undefined }, 'time-malformed'],
    [{ ts: now + 31 }, 'clock-ahead'],
    [{ halted: 1 }, 'halt-malformed'],
  ])('%j is refused as %s', async (over, reason) => {
    const { source } = await start({
      quotes: [
        { ...row, ...over },
        { ...row, symbol: 'AAPL' },
      ],
    })
    expect(await source.read([nvda, aapl], now)).toMatchObject({
      value: {
        quotes: [{ address: aapl.address }],
        refused: [{ symbol: 'NVDA', reason }],
        expected: 2,
      },
    })
  })

  it.each([
    ['malformed', 'not JSON', 'hello'],
    ['malformed', 'another form', [row]],
    ['malformed', 'no list', { quotes: {} }],
    ['malformed', 'expected a symbol in every row', { quotes: [row, { bid: 1 }] }],
    ['malformed', 'too long', `{"quotes":[]}${' '.repeat(3e6)}`],
    ['unreachable', 'no file', undefined],
  ])('%s: %s, without its path', async (kind, _, content) => {
    const { source } = await start(content)
    const read = await source.read([nvda], now)
    expect(read).toMatchObject({ ok: false, fault: { kind } })
    expect(JSON.stringify(read)).not.toContain('CANARY')
  })
})
