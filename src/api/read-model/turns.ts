/** Runs one piece of work after the other, in the order of asking. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/**
 * The queue needs no bound of its own: whoever waits here holds a snapshot of the store, and
 * those are bounded.
 */
export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
