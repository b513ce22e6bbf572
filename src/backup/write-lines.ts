import { createHash } from 'node:crypto'
import type { StoreBackup } from '../ports/store-backup.ts'
import { type BackupFooter, type BackupProgress, createBackupHeader } from './format.ts'
import { rowToJson } from './value.ts'

const toLine = (json: unknown): string => `${JSON.stringify(json)}\n`

/** Yields the file's text in chunks of some hundred lines. */
export async function* writeBackup(
  contents: StoreBackup,
  onStep: (step: BackupProgress) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const addToChecksum = (text: string): string => {
    hash.update(text)
    return text
  }
  yield addToChecksum(toLine(createBackupHeader(contents.identity, contents.tables)))
  let rows = 0
  for (const { name, columns, rows: total } of contents.tables) {
    let done = 0
    for await (const page of contents.readTable(name)) {
      done += page.length
      yield addToChecksum(page.map((row) => toLine(rowToJson(columns, row))).join(''))
      onStep({ phase: name, done, total })
    }
    if (done !== total) throw new Error(`store: ${name} has ${done} rows, expected ${total}`)
    rows += done
  }
  const footer: BackupFooter = { rows, sha256: hash.digest('hex') }
  yield toLine(footer)
}
