import { createHash } from 'node:crypto'
import type { StoreExport } from '../ports/store-export.ts'
import { createExportHeader, type ExportFooter, type TransferProgress } from './format.ts'
import { rowToJson } from './value.ts'

const lineOf = (json: unknown): string => `${JSON.stringify(json)}\n`

/** The whole file, in pieces of some hundred lines. */
export async function* writeExport(
  dump: StoreExport,
  onStep: (step: TransferProgress) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const told = (text: string): string => {
    hash.update(text)
    return text
  }
  yield told(lineOf(createExportHeader(dump.identity, dump.tables)))
  let rows = 0
  for (const { name, columns, rows: total } of dump.tables) {
    let done = 0
    for await (const page of dump.readTable(name)) {
      done += page.length
      yield told(page.map((row) => lineOf(rowToJson(columns, row))).join(''))
      onStep({ phase: name, done, total })
    }
    // Both were read of one snapshot.
    if (done !== total) throw new Error(`store: ${name} has ${done} rows, counted were ${total}`)
    rows += done
  }
  const end: ExportFooter = { rows, sha256: hash.digest('hex') }
  yield lineOf(end)
}
