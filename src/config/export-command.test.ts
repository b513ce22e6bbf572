import { expect, test } from 'vitest'
import { parseCommandLine } from './command-line.ts'

const given = {
  dataset: 'swaps',
  format: 'parquet',
  out: './files',
  store: 'sqlite:./a.db',
}

const parse = (rest: Readonly<Record<string, string | null>> = {}) => {
  const flags = Object.entries({ ...given, ...rest })
  return parseCommandLine({
    args: [
      'export',
      ...flags.flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value])),
    ],
    environment: {},
    version: '1',
  })
}

test('the flags of an export', () => {
  const pool = `0x${'Ab'.repeat(20)}`
  expect(parse({ from: '2026-11-21', to: '2026-11-21', pool, check: 'content' })).toEqual({
    ok: true,
    value: {
      kind: 'export',
      request: {
        dataset: 'swaps',
        format: 'parquet',
        fromTs: 1_795_219_200,
        toTs: 1_795_219_200,
        symbol: null,
        pool: pool.toLowerCase(),
        directory: './files',
        check: 'content',
        store: { kind: 'sqlite', path: './a.db' },
        logLevel: 'info',
      },
    },
  })
  expect(parse()).toMatchObject({ value: { request: { fromTs: null, toTs: null, check: 'size' } } })
})

test.each([
  [{ dataset: null }, 'export: expected --dataset'],
  [{ format: null }, 'export: expected --format'],
  [{ out: null }, 'export: expected --out'],
  [{ store: null }, 'export: expected --store or STOCKPOOLS_STORE'],
  [
    { store: 'sqlite::memory:' },
    '--store: expected a store on disk, an in-memory store cannot be shared',
  ],
  [
    { dataset: 'trades' },
    '--dataset: expected one of swaps, liquidity, candles, pools, stocks, references, got "trades"',
  ],
  [{ format: 'xlsx' }, '--format: expected one of parquet, csv, ndjson, got "xlsx"'],
  [{ from: '2026-02-30' }, '--from: expected a day such as 2026-11-21, got "2026-02-30"'],
  [{ to: '1795219200' }, '--to: expected a day such as 2026-11-21, got "1795219200"'],
  [{ from: '2026-11-22', to: '2026-11-21' }, '--from: expected a day not after --to'],
  [
    { pool: '0x12' },
    '--pool: expected the id of a pool (0x and 40 or 64 hexadecimal digits), got "0x12"',
  ],
  [{ pool: `0x${'ab'.repeat(20)}`, symbol: 'AAPL' }, '--pool: expected without --symbol'],
  [{ dataset: 'stocks', pool: `0x${'ab'.repeat(20)}` }, '--pool: stocks are of no pool'],
  [{ dataset: 'pools', to: '2026-11-21' }, '--to: pools are exported as they are now'],
  [{ check: 'maybe' }, '--check: expected one of size, content, got "maybe"'],
  [{ width: '1m' }, 'unknown flag "--width"'],
])('%o is refused', (rest, fault) => {
  expect(parse(rest)).toEqual({ ok: false, fault })
})

test('help names every flag', () => {
  const help = parseCommandLine({ args: ['export', '--help'], environment: {}, version: '1' })
  expect(help).toMatchObject({ ok: true, value: { kind: 'print' } })
  const text = help.ok && help.value.kind === 'print' ? help.value.text : ''
  for (const flag of [
    'dataset',
    'format',
    'out',
    'from',
    'to',
    'symbol',
    'pool',
    'check',
    'store',
  ]) {
    expect(text).toContain(`--${flag} `)
  }
})
