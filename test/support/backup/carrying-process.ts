import { once } from 'node:events'
import { importStore } from '../../../src/backup/backup.ts'
import { sqliteLocationAt, unwrap } from './homes.ts'

/** Imports a file; after each write it says so, and waits to be told to go on or to be killed. */
const [, , path = '', file = ''] = process.argv

const sink = unwrap(await sqliteLocationAt(path).openSink())
const told = {
  ...sink,
  write: async (table: string, rows: Parameters<typeof sink.write>[1]) => {
    const written = await sink.write(table, rows)
    process.send?.(table)
    await once(process, 'message')
    return written
  },
}
const signal = new AbortController().signal
unwrap(await importStore(told, { file, input: process.stdin, signal, onStep: () => {} }))
