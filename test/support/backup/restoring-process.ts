import { once } from 'node:events'
import { restoreStore } from '../../../src/backup/backup.ts'
import { sqliteLocationAt, unwrap } from './homes.ts'

/** Restores a file; reports each write and waits for a message to continue, or is killed. */
const [, , path = '', file = ''] = process.argv

const sink = unwrap(await sqliteLocationAt(path).openSink())
const pausingSink = {
  ...sink,
  write: async (table: string, rows: Parameters<typeof sink.write>[1]) => {
    const written = await sink.write(table, rows)
    process.send?.(table)
    await once(process, 'message')
    return written
  },
}
const signal = new AbortController().signal
unwrap(await restoreStore(pausingSink, { file, input: process.stdin, signal, onStep: () => {} }))
