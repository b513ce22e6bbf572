/** The last value that somebody told, for whoever looks. */
export type Gauge<T> = { readonly set: (value: T) => void; readonly read: () => T }

export const createGauge = <T>(first: T): Gauge<T> => {
  let value = first
  return {
    set: (next) => {
      value = next
    },
    read: () => value,
  }
}
