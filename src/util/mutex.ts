/** Runs one task at a time, in the order of the calls. */
export type Mutex = <T>(task: () => T | Promise<T>) => Promise<T>

type MutexOptions = {
  /** More waiting tasks than this mean that something is stuck: the next one is rejected. */
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
