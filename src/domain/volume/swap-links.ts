/** Swaps whose tokens came back, by number, and with which swaps. */
export const createSwapLinks = () => {
  const links = new Map<number, readonly number[]>()
  const add = (from: number, to: number): void => {
    links.set(from, [...(links.get(from) ?? []), to])
  }
  return {
    of: (number: number): readonly number[] => links.get(number) ?? [],
    link: (one: number, other: number): void => {
      add(one, other)
      add(other, one)
    },
    remove: (number: number): void => {
      for (const other of links.get(number) ?? []) {
        const left = (links.get(other) ?? []).filter((each) => each !== number)
        if (left.length > 0) links.set(other, left)
        else links.delete(other)
      }
      links.delete(number)
    },
  }
}
