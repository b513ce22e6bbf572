/** A map of bounded size that forgets what was not used for longest. */
export type LruCache<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly size: () => number
}

export const createLruCache = <Key, Value>(entriesMax: number): LruCache<Key, Value> => {
  // A Map keeps the order of insertion: what is used is put in anew, at the end.
  const entries = new Map<Key, Value>()
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value !== undefined) {
        entries.delete(key)
        entries.set(key, value)
      }
      return value
    },
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break
        entries.delete(oldest)
      }
    },
    size: () => entries.size,
  }
}
