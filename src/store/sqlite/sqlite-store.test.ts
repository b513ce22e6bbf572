import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreBench } from '../../../test/store-contract/bench.ts'
import { storeContract } from '../../../test/store-contract/contract.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { createSqliteReader, createSqliteStore } from './sqlite-store.ts'

const opened = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.value
}

const fileBench = async (): Promise<StoreBench> => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
  const path = join(folder, 'deeper', 'store.db')
  const first = opened(createSqliteStore({ path }))
  let current = first
  return {
    store: first,
    reopen: async () => {
      await current.close()
      current = opened(createSqliteStore({ path }))
      return current
    },
    connect: async () => opened(createSqliteReader({ path })),
    dispose: async () => {
      await current.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const memoryBench = async (): Promise<StoreBench> => {
  const store = opened(createSqliteStore({ path: ':memory:' }))
  const impossible = async () => {
    throw new Error('memory has one connection')
  }
  return {
    store,
    reopen: impossible,
    connect: impossible,
    dispose: store.close,
  }
}

storeContract('SQLite in a file', fileBench, { isDurable: true })
storeContract('SQLite in memory', memoryBench, { isDurable: false })
