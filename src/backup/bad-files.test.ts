import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { contentsOf } from '../../test/store-contract/fixtures.ts'
import { contents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  restoreText,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { restoreStore } from './backup.ts'

// A restore of a damaged file fails with a message of one line and leaves the store empty.

let file = ''
beforeAll(async () => {
  const ends: (() => void)[] = []
  const home = sqliteLocation(temporaryFolder((end) => ends.push(end)))
  const store = unwrap(await home.openStore())
  const [drawn] = fc.sample(contents, { numRuns: 1, seed: 4 })
  if (drawn !== undefined) await fill(store, drawn)
  await store.close()
  file = await backupToText(home)
  for (const end of ends) end()
})

const lines = () => file.split('\n').slice(0, -1)
const joined = (all: readonly string[]) => all.map((line) => `${line}\n`).join('')
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Changes lines and corrects the checksum, so that the file does not look like disk damage. */
const forged = (change: (all: string[]) => void): string => {
  const all = lines().slice(0, -1)
  change(all)
  const end = { rows: all.length - 1, sha256: shaOf(joined(all)) }
  return joined([...all, JSON.stringify(end)])
}

const headingWith = (change: (heading: { version: number; tables: unknown[] }) => void) =>
  forged((all) => {
    const heading = JSON.parse(all[0] ?? '')
    change(heading)
    all[0] = JSON.stringify(heading)
  })

const headingTable = (at: number, change: (table: { columns: string[]; rows: number }) => void) =>
  headingWith(({ tables }) => change(tables[at] as never))

/** Line 2 is the header's row, line 3 that of the first block. */
const blockRow = (row: readonly unknown[]) =>
  forged((all) => {
    all[2] = JSON.stringify(row)
  })

const hash = `0x${'11'.repeat(32)}`

const bad: readonly (readonly [string, () => string | Uint8Array, string])[] = [
  ['nothing', () => '', 'ends too early'],
  ['a text', () => 'hello\n', 'is not a stockpools backup'],
  ['an image', () => new Uint8Array([0x89, 0x50, 0xff, 0xfe, 0x0a]), 'is not UTF-8'],
  ['another JSON', () => '{"format":"other"}\n', 'is not a stockpools backup'],
  ['a packed file under a plain name', () => gzipSync(file), 'is not UTF-8'],
  ['no line ends', () => 'x'.repeat(5_000_000), 'has a line that is too long'],
  [
    'a newer format',
    () => headingWith((heading) => Object.assign(heading, { version: 2 })),
    'is of format 2, and this version reads format 1 only',
  ],
  [
    'a broken heading',
    () => headingWith((heading) => Object.assign(heading, { tables: [{}] })),
    'has an invalid first line',
  ],
  [
    'an unknown column',
    () => headingTable(1, ({ columns }) => columns.push('parent bytes')),
    'holds "blocks.parent bytes", which this version does not know (a newer one wrote it?)',
  ],
  [
    'a column that is missing',
    () => headingTable(1, ({ columns }) => columns.pop()),
    'lacks "blocks.ts integer", which every version writes',
  ],
  [
    'columns changed round',
    () => headingTable(1, ({ columns }) => columns.reverse()),
    'has its columns in a different order, or twice',
  ],
  [
    'a column twice',
    () => headingTable(1, ({ columns }) => columns.push('ts integer')),
    'has its columns in a different order, or twice',
  ],
  [
    'a column of another kind',
    () => headingTable(1, ({ columns }) => columns.splice(2, 1, 'ts text')),
    'holds "blocks.ts text", which this version does not know',
  ],
  [
    'null where no version has it',
    () => headingTable(1, ({ columns }) => columns.splice(2, 1, 'ts integer or null')),
    'holds "blocks.ts integer or null", which this version does not know',
  ],
  [
    'an unknown table',
    () =>
      headingWith(({ tables }) => tables.push({ name: 'parents', columns: ['x text'], rows: 0 })),
    'holds "parents.x text", which this version does not know',
  ],
  [
    'a table twice',
    () => headingWith(({ tables }) => tables.push(tables[1])),
    'has its columns in a different order, or twice',
  ],
  [
    'a table that is missing',
    () => headingWith(({ tables }) => tables.splice(3, 1)),
    'lacks "pools", which every version writes',
  ],
  [
    'no header',
    () =>
      forged((all) => {
        const heading = JSON.parse(all[0] ?? '')
        heading.tables[0].rows = 0
        all[0] = JSON.stringify(heading)
        all.splice(1, 1)
      }),
    'must have one header row',
  ],
  [
    'a row too few',
    () => forged((all) => all.splice(-1)),
    'does not have the rows that its header lists',
  ],
  [
    'a row too many',
    () => forged((all) => all.push('["swaps",false,null,null,null,false,0]')),
    'does not have the rows that its header lists',
  ],
  ['a byte changed', () => file.replace('robinhood",', 'robinhoof",'), 'was changed: its checksum'],
  ['two rows changed round', () => joined(swapped(lines())), 'was changed: its checksum differs'],
  ['other line ends', () => file.replaceAll('\n', '\r\n'), 'was changed: its checksum differs'],
  ['something after the end', () => `${file}x`, 'continues after its last line'],
  ['twice the same', () => file + file, 'continues after its last line'],
  [
    'rubbish in the middle',
    () => forged((all) => all.splice(2, 0, 'x')),
    'line 3 is not valid JSON',
  ],
  ['a number for bytes', () => blockRow([1, 5, 1]), 'line 3 (blocks): hash must be bytes'],
  ['half a byte', () => blockRow([1, '0x123', 1]), 'line 3 (blocks): hash must be bytes'],
  ['no integer', () => blockRow([1.5, hash, 1]), 'line 3 (blocks): block must be integer'],
  ['too large', () => blockRow([2 ** 53, hash, 1]), 'line 3 (blocks): block must be integer'],
  ['null where none is', () => blockRow([1, hash, null]), 'line 3 (blocks): ts must be integer'],
  ['values too few', () => blockRow([1, hash]), 'line 3 (blocks): must have 3 values'],
  [
    'one key twice',
    () =>
      forged((all) => {
        all[3] = all[2] ?? ''
      }),
    'cannot hold rows that contradict each other',
  ],
]

const swapped = (all: readonly string[]) => {
  const [heading = '', header = '', first = '', second = '', ...rest] = all
  return [heading, header, second, first, ...rest]
}

test.each(bad)('%s', async (_, make, fault) => {
  const home = sqliteLocation(temporaryFolder(onTestFinished))
  const outcome = await restoreText(home, [make()])
  expect(outcome).toMatchObject({ ok: false })
  const text = outcome.ok ? '' : outcome.fault
  expect(text).toContain(fault)
  expect(text).not.toContain('\n')
  // The store is empty again, so that it accepts a good file.
  expect(await restoreText(home, [file])).toMatchObject({ ok: true })
})

test('rejects a file that is cut off at any place, whatever its chunks', async () => {
  const folder = temporaryFolder(onTestFinished)
  const home = sqliteLocation(folder)
  const bytes = Buffer.from(file)
  const headingBytes = Buffer.byteLength(lines()[0] ?? '') + 1
  const place = fc.integer({ min: headingBytes, max: bytes.length - 2 })
  await fc.assert(
    fc.asyncProperty(place, place, async (one, other) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)]
      const outcome = await restoreText(home, [
        bytes.subarray(0, first),
        bytes.subarray(first, last),
      ])
      expect(outcome.ok ? '' : outcome.fault).toMatch(/^standard input ends too early/)
    }),
    { numRuns: 60 },
  )
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.subarray(at * 7, at * 7 + 7),
  )
  expect(await restoreText(home, pieces)).toMatchObject({ ok: true })
  expect(await backupToText(home)).toBe(file)
})

test('rejects a compressed file that is damaged or cut off', async () => {
  const folder = temporaryFolder(onTestFinished)
  const home = sqliteLocation(folder)
  const path = join(folder, 'backup.gz')
  const packed = gzipSync(file)
  const restoreFile = async () => {
    const sink = unwrap(await home.openSink())
    const input = Readable.from([])
    const signal = new AbortController().signal
    const outcome = await restoreStore(sink, { file: path, input, signal, onStep: () => {} })
    await sink.close()
    return outcome.ok ? 'ok' : outcome.fault
  }
  expect(await restoreFile()).toBe(`${path} does not exist`)
  writeFileSync(path, packed.subarray(0, packed.length - 20))
  expect(await restoreFile()).toContain(`${path} ends too early`)
  writeFileSync(path, Buffer.concat([packed.subarray(0, 200), packed.subarray(300)]))
  expect(await restoreFile()).toContain(`${path} is damaged`)
  writeFileSync(path, file)
  expect(await restoreFile()).toContain(`${path} is damaged`)
  writeFileSync(path, packed)
  expect(await restoreFile()).toBe('ok')
})

test('does not change a store that contains data', async () => {
  const home = sqliteLocation(temporaryFolder(onTestFinished))
  const store = unwrap(await home.openStore())
  await store.claim({ chainId: 1, network: 'other', originHash: null }, 5)
  const before = await contentsOf(store)
  const outcome = await restoreText(home, [file])
  expect(outcome.ok ? '' : outcome.fault).toMatch(
    / is not empty: a restore needs a store of its own$/,
  )
  expect(await contentsOf(store)).toEqual(before)
  await store.close()
})
