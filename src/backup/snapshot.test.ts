import { expect, onTestFinished, test } from 'vitest'
import { batchOf, chain, day, identityOf, swapAt } from '../../test/store-contract/fixtures.ts'
import {
  backupToText,
  restoreText,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { writeBackup } from './write-lines.ts'

const batchNumber = (number: number) =>
  batchOf(
    { before: number === 1 ? null : number - 1, to: number },
    {
      pools: number === 1 ? [identityOf(1)] : [],
      swaps: Array.from({ length: 400 }, (_, logIndex) =>
        swapAt({ pool: 1, block: number, logIndex }),
      ),
    },
  )

/*
 *   indexer   1 ─ 2 ─ 3 ──────── 4 ─ 5 ─ 6 ─ …
 *   backup            └ of 3 ─ … ───────────────┘ of 3 to its last row
 */
test('a backup contains one snapshot while the indexer continues', async () => {
  const home = sqliteLocation(temporaryFolder(onTestFinished))
  const store = unwrap(await home.openStore())
  await store.claim(chain, day)
  for (const number of [1, 2, 3]) await store.commitRange(batchNumber(number))
  const before = await backupToText(home)
  const source = unwrap(await home.openSource())
  let next = 4
  const during = await source.read(async (dump) => {
    if (dump === null) throw new Error('nothing to back up')
    let text = ''
    for await (const piece of writeBackup(dump, () => {})) {
      text += piece
      expect(await store.commitRange(batchNumber(next++))).toBe('committed')
    }
    return text
  })
  await source.close()
  expect(next).toBeGreaterThan(8)
  expect(during).toBe(before)
  expect(await backupToText(home)).not.toBe(before)
  await store.close()
})

test('an indexer continues from the cursor of the restored file', async () => {
  const folder = temporaryFolder(onTestFinished)
  const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
  const first = unwrap(await from.openStore())
  await first.claim(chain, day)
  for (const number of [1, 2, 3]) await first.commitRange(batchNumber(number))
  expect(await restoreText(to, [await backupToText(from)])).toMatchObject({ ok: true })
  const second = unwrap(await to.openStore())
  for (const store of [first, second]) {
    expect(await store.claim(chain, day + 50)).toBe('ready')
    expect(await store.commitRange(batchNumber(3))).toBe('committed')
    expect(await store.commitRange(batchNumber(5))).toBe('stale-cursor')
    expect(await store.commitRange(batchNumber(4))).toBe('committed')
    await store.close()
  }
  expect(await backupToText(to)).toBe(await backupToText(from))
})
