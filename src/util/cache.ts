/** Computes a value on the first call and returns the same one from then on. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Caches results by key until the stamp, such as a revision, changes. */
export type RevisionCache<T> = {
  readonly get: (key: string, stamp: string, make: () => Promise<T>) => Promise<T>
}

/** Evicts the oldest entry above `entriesMax`. A rejected result is not cached. */
export const createRevisionCache = <T>(entriesMax: number): RevisionCache<T> => {
  const entries = new Map<string, Promise<T>>()
  let current = ''
  return {
    get: (key, stamp, make) => {
      if (stamp !== current) entries.clear()
      current = stamp
      const cached = entries.get(key)
      if (cached !== undefined) return cached
      const oldest = entries.keys().next()
      if (entries.size >= entriesMax && !oldest.done) entries.delete(oldest.value)
      const made = make()
      entries.set(key, made)
      made.catch(() => {
        if (entries.get(key) === made) entries.delete(key)
      })
      return made
    },
  }
}
