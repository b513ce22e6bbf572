import { Worker } from 'node:worker_threads'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Store } from '../../ports/store.ts'
import { createSqliteReader } from './sqlite-store.ts'
import { withTicks } from './writer.ts'
import type { ThreadedWriter, WriterAnswer, WriterOrder } from './writer-messages.ts'

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Line = {
  readonly opened: Promise<Outcome<null, string>>
  readonly ask: (method: WriterOrder['method'], input: readonly unknown[]) => Promise<unknown>
}

const startLine = (path: string): Line => {
  const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), {
    workerData: { path },
    // The flags of a process that was started to be measured are not for this thread.
    execArgv: [],
  })
  const opening = Promise.withResolvers<Outcome<null, string>>()
  const waiting = new Map<number, Waiting>()
  let number = 0
  let end: Error | null = null

  const take = (of: number): Waiting | undefined => {
    const one = waiting.get(of)
    waiting.delete(of)
    return one
  }
  /** A thread that ended answers nothing more. */
  const give = (error: Error): void => {
    end ??= error
    opening.reject(end)
    for (const one of waiting.values()) one.reject(end)
    waiting.clear()
  }

  worker.on('message', (answer: WriterAnswer) => {
    if (answer.kind === 'open') opening.resolve(success(null))
    else if (answer.kind === 'refused') opening.resolve(failure(answer.fault))
    else if (answer.kind === 'done') take(answer.number)?.resolve(answer.value)
    else take(answer.number)?.reject(answer.error)
  })
  worker.on('error', give)
  worker.on('exit', () => give(new Error('store: the thread that writes has ended')))
  return {
    opened: opening.promise,
    ask: (method, input) =>
      new Promise((resolve, reject) => {
        if (end !== null) {
          reject(end)
          return
        }
        number += 1
        waiting.set(number, { resolve, reject })
        worker.postMessage({ number, method, input } satisfies WriterOrder)
      }),
  }
}

/** Each of them: a method that the port gets can not be forgotten here. */
const methods: Readonly<Record<keyof ThreadedWriter, true>> = {
  begin: true,
  commit: true,
  replaceMap: true,
  recordReading: true,
  dropReading: true,
  adopt: true,
  fillHistory: true,
  recordBackfill: true,
  recordSearched: true,
  replaceBranch: true,
  settle: true,
  recordHead: true,
  recordTokens: true,
  recordStocks: true,
  recordSource: true,
  recordEnrichment: true,
  prune: true,
  readTickPage: true,
  readReading: true,
  readLiquidityAfter: true,
  readAnchor: true,
  readEvents: true,
  readTouched: true,
  readPast: true,
  close: true,
}

const writerOf = ({ ask }: Line): ThreadedWriter => {
  const names = Object.keys(methods) as (keyof ThreadedWriter)[]
  const callOf = (method: keyof ThreadedWriter) => [
    method,
    (...input: readonly unknown[]) => ask(method, input),
  ]
  return Object.fromEntries(names.map(callOf))
}

/**
 * The store in a file, written by a thread of its own: while a batch is on its way to the disk,
 * the index parses what comes next. The fault is one line that names the path.
 */
export const createThreadedSqliteStore = async ({
  path,
}: {
  readonly path: string
}): Promise<Outcome<Store, string>> => {
  const line = startLine(path)
  const opened = await line.opened
  if (!opened.ok) return opened
  const { close, ...writer } = writerOf(line)
  const reader = createSqliteReader({ path })
  if (!reader.ok) {
    await close()
    return reader
  }
  return success({
    ...withTicks(writer),
    ...reader.value,
    close: async () => {
      await reader.value.close()
      // Last, because the last connection to close folds the log into the file.
      await close()
    },
  })
}
