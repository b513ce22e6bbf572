import type { Between, EventRow } from './read-list.ts'

const createGate = (readers: number, happen: () => Promise<void>) => {
  const arrived = Promise.withResolvers<void>()
  const happened = arrived.promise.then(happen)
  let waiting = 0
  return async (): Promise<void> => {
    waiting += 1
    if (waiting === readers) arrived.resolve()
    await happened
  }
}

/**
 * Readers that wait for each of these moments, one after the other. Each waits between two pages,
 * for the last moment at a row of its own choice.
 */
export const createMoments = (readers: number, moments: readonly (() => Promise<void>)[]) => {
  const gates = moments.map((happen) => createGate(readers, happen))
  return (isLastDue: (last: EventRow) => boolean): { between: Between; seen: () => number } => {
    let seen = 0
    return {
      between: async (last) => {
        while (seen < gates.length && (seen < gates.length - 1 || isLastDue(last))) {
          const wait = gates[seen]
          seen += 1
          await wait?.()
        }
      },
      /** How many of the moments it has waited for. */
      seen: () => seen,
    }
  }
}
