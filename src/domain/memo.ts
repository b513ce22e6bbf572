/**
 * Caches `compute` for the most recently used keys: at least `keysMax`, at most twice as many.
 * References are strong and bounded, because garbage collection walks every entry of a WeakMap.
 */
export const createMemo = <Key, Value extends object | bigint | string>(
  keysMax: number,
  compute: (key: Key) => Value,
): ((key: Key) => Value) => {
  let latest = new Map<Key, Value>()
  let earlier = new Map<Key, Value>()
  return (key) => {
    const found = latest.get(key)
    if (found !== undefined) return found
    const value = earlier.get(key) ?? compute(key)
    if (latest.size >= keysMax) {
      earlier = latest
      latest = new Map()
    }
    latest.set(key, value)
    return value
  }
}
