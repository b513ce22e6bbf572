/** Ends what was begun, the last one first, each whatever became of the one before. */
export type Shutdown = {
  readonly add: (end: () => Promise<void>) => void
  readonly run: () => Promise<void>
}

export const createShutdown = (onFault: (error: unknown) => void): Shutdown => {
  const ends: (() => Promise<void>)[] = []
  return {
    add: (end) => {
      ends.push(end)
    },
    run: async () => {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end().catch(onFault)
    },
  }
}
