/**
 * What `compute` says of a key that never changes, remembered for those that were asked for lately:
 * for at least `keysMax` of them and at most twice as many. Strong references with a bound, because
 * a WeakMap keeps its values for as long as anybody keeps the key, and every collection walks it.
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
