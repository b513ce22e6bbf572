/** Runs one task at a time, in call order. */
export type Mutex = <T>(task: () => T | Promise<T>) => Promise<T>

type MutexOptions = {
  /** Rejects further tasks above this number: something is stuck. */
  readonly waitingMax?: number
}

export const createMutex = ({ waitingMax }: MutexOptions = {}): Mutex => {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (task) => {
    if (waitingMax !== undefined && waiting >= waitingMax) {
      return Promise.reject(new Error(`mutex: ${waitingMax} tasks are waiting already`))
    }
    waiting += 1
    const result = last.then(task).finally(() => {
      waiting -= 1
    })
    last = result.catch(() => undefined)
    return result
  }
}
