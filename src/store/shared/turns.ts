/** Work that waits for its turn; more than this many at once means that something is stuck. */
const waitingMax = 10_000

export type Turns = <T>(work: () => T | Promise<T>) => Promise<T>

/** One at a time, in the order of asking: a connection has one transaction, not many. */
export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (work) => {
    if (waiting >= waitingMax) {
      return Promise.reject(new Error(`store: ${waitingMax} callers wait for one connection`))
    }
    waiting += 1
    const turn = last.then(work).finally(() => {
      waiting -= 1
    })
    last = turn.catch(() => undefined)
    return turn
  }
}

/** A port's method without its promise: what is done once it is one's turn. */
export type Sync<Method> = Method extends (...given: infer Given) => Promise<infer Result>
  ? (...given: Given) => Result
  : never

/** The method that waits for its turn. */
export const inTurn =
  <Given extends unknown[], Result>(turns: Turns, method: (...given: Given) => Result) =>
  (...given: Given): Promise<Result> =>
    turns(() => method(...given))
