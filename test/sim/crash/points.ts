import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Store } from '../../../src/ports/store.ts'

/** The port's method that runs a transaction, or 'open'. */
const works = new AsyncLocalStorage<string>()

/** Where a process may be killed: before, inside and after each transaction of each kind. */
export type Reached = (work: string, place: string) => void

type Patched = Pick<typeof DatabaseSync.prototype, 'exec'>

/**
 * Reports every point that a writer passes: `before BEGIN`, `statement n` (before the n-th one),
 * `before COMMIT`, `after COMMIT`. While a file is opened each statement is a point, too.
 */
export const watchPoints = (reached: Reached): void => {
  const database: Patched = DatabaseSync.prototype
  const statement = StatementSync.prototype
  const { exec } = database
  const { run, get, all } = statement
  let isInside = false
  /** In the transaction under way, or since the last one. */
  let statements = 0

  const report = (place: string): void => reached(works.getStore() ?? 'unnamed', place)
  const reportStatement = (): void => {
    if (!isInside && works.getStore() !== 'open') return
    statements += 1
    report(`statement ${statements}`)
  }

  database.exec = function (sql) {
    if (sql === 'BEGIN IMMEDIATE') report('before BEGIN')
    else if (sql === 'COMMIT') report('before COMMIT')
    else if (sql !== 'BEGIN' && sql !== 'ROLLBACK') reportStatement()
    exec.call(this, sql)
    if (['BEGIN IMMEDIATE', 'ROLLBACK', 'COMMIT'].includes(sql)) {
      isInside = sql === 'BEGIN IMMEDIATE'
      statements = 0
    }
    if (sql === 'COMMIT') report('after COMMIT')
  }
  const watched = <Method extends typeof run | typeof get | typeof all>(method: Method): Method =>
    function (this: StatementSync, ...values: Parameters<Method>) {
      reportStatement()
      return Reflect.apply(method, this, values)
    } as Method
  statement.run = watched(run)
  statement.get = watched(get)
  statement.all = watched(all)
}

/** Names the work that opens a store. */
export const opening = <T>(open: () => T): T => works.run('open', open)

/** The store, each of whose methods names its work; `answered` comes before the answer is used. */
export const namingWorks = (store: Store, answered: (work: string) => void): Store => {
  const named = Object.entries(store).map(([name, method]) => {
    if (name === 'snapshot' || name.startsWith('read')) return [name, method]
    const work = async (...given: unknown[]): Promise<unknown> => {
      const outcome = await works.run(name, () => Reflect.apply(method, store, given))
      if (name !== 'close') answered(name)
      return outcome
    }
    return [name, work]
  })
  return Object.fromEntries(named) as Store
}
