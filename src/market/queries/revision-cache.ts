/** Remembers answers for as long as a stamp stays the same. */
export type RevisionCache<T> = {
  /** The answer that was made for this name since the stamp changed, else a new one. */
  readonly get: (name: string, stamp: string, make: () => Promise<T>) => Promise<T>
}

/** Of more names than `namesMax` the oldest is forgotten. An answer that failed is not kept. */
export const createRevisionCache = <T>(namesMax: number): RevisionCache<T> => {
  const answers = new Map<string, Promise<T>>()
  let current = ''
  return {
    get: (name, stamp, make) => {
      if (stamp !== current) answers.clear()
      current = stamp
      const known = answers.get(name)
      if (known !== undefined) return known
      const oldest = answers.keys().next()
      if (answers.size >= namesMax && !oldest.done) answers.delete(oldest.value)
      const made = make()
      answers.set(name, made)
      made.catch(() => {
        if (answers.get(name) === made) answers.delete(name)
      })
      return made
    },
  }
}
