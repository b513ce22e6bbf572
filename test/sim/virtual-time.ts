import type { Timer } from '../../src/net/timer.ts'

type Due = { readonly atMs: number; readonly order: number; readonly run: () => void }

/** Resolves once everything that is ready to run has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Time that passes only on request: a minute of waiting takes as long as the work in it. */
export const createVirtualTime = (startMs: number) => {
  const due = new Map<object, Due>()
  let nowMs = startMs
  let order = 0

  const set = (run: () => void, ms = 0): object => {
    const handle = {}
    order += 1
    due.set(handle, { atMs: nowMs + Math.max(0, ms), order, run })
    return handle
  }

  const next = (): readonly [object, Due] | null => {
    let first: readonly [object, Due] | null = null
    for (const entry of due) {
      const [, { atMs, order: place }] = entry
      if (first === null || atMs < first[1].atMs) first = entry
      else if (atMs === first[1].atMs && place < first[1].order) first = entry
    }
    return first
  }

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const handle = set(resolve, ms)
      const stop = () => {
        due.delete(handle)
        resolve()
      }
      signal?.addEventListener('abort', stop, { once: true })
    })

  /** Lets time pass, and runs everything that becomes due in order. */
  const pass = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms
    await settled()
    for (let entry = next(); entry !== null && entry[1].atMs <= untilMs; entry = next()) {
      const [handle, { atMs, run }] = entry
      due.delete(handle)
      nowMs = Math.max(nowMs, atMs)
      run()
      await settled()
    }
    nowMs = untilMs
  }

  const timer: Timer = { nowMs: () => nowMs, sleep }

  /** Makes global timers follow this time while `work` runs. */
  const governing = async <T>(work: () => Promise<T>): Promise<T> => {
    const { setTimeout: realSet, clearTimeout: realClear } = globalThis
    const clear = (handle?: unknown) => void due.delete(handle as object)
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
    try {
      return await work()
    } finally {
      Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear })
    }
  }

  return { nowMs: () => nowMs, timer, sleep, pass, governing }
}

export type VirtualTime = ReturnType<typeof createVirtualTime>
