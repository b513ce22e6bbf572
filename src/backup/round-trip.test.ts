import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { contentsOf } from '../../test/store-contract/fixtures.ts'
import { contents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  restoreText,
  type StoreLocation,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'

/*
 *   store ── backup ── file ── restore ── another store ── backup ── the same file
 *
 * Whatever a store holds, and wherever the two of them live.
 */

const answersOf = async (home: StoreLocation) => {
  const store = unwrap(await home.openStore())
  const answers = await contentsOf(store)
  await store.close()
  return answers
}

test('SQLite, file, SQLite: the same answers and the same file', async () => {
  const folder = temporaryFolder(onTestFinished)
  await fc.assert(
    fc.asyncProperty(contents, async (drawn) => {
      const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
      const store = unwrap(await from.openStore())
      await fill(store, drawn)
      await store.close()
      const file = await backupToText(from)
      expect(await restoreText(to, [file])).toMatchObject({ ok: true })
      expect(await backupToText(to)).toBe(file)
      expect(await answersOf(to)).toEqual(await answersOf(from))
    }),
    { numRuns: 25 },
  )
})
