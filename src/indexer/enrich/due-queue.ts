import type { UnixSeconds } from '../../domain/units.ts'

/** Items by the time at which they are due; of equal times the item added first comes first. */
export type DueQueue<Item> = {
  readonly add: (item: Item, dueTs: UnixSeconds) => void
  /** Removes the first items that are due, at most `max`. */
  readonly takeDue: (now: UnixSeconds, max: number) => readonly Item[]
}

type Entry<Item> = { readonly item: Item; readonly dueTs: UnixSeconds; readonly order: number }

const isBefore = (a: Entry<unknown>, b: Entry<unknown>): boolean =>
  a.dueTs < b.dueTs || (a.dueTs === b.dueTs && a.order < b.order)

/** A binary heap: adding and taking an item cost the logarithm of how many there are. */
export const createDueQueue = <Item>(): DueQueue<Item> => {
  /** No entry is before its parent, at half its place. The first place stays empty. */
  const heap: (Entry<Item> | undefined)[] = [undefined]
  let order = 0

  const isInOrder = (parent: number, child: number): boolean => {
    const [above, below] = [heap[parent], heap[child]]
    return above === undefined || below === undefined || !isBefore(below, above)
  }

  const swap = (a: number, b: number): void => {
    const entry = heap[a]
    heap[a] = heap[b]
    heap[b] = entry
  }

  const raise = (place: number): void => {
    const parent = place >> 1
    if (isInOrder(parent, place)) return
    swap(parent, place)
    raise(parent)
  }

  const lower = (place: number): void => {
    const [left, right] = [2 * place, 2 * place + 1]
    const first = isInOrder(left, right) ? left : right
    if (isInOrder(place, first)) return
    swap(place, first)
    lower(first)
  }

  const removeFirst = (): void => {
    const last = heap.pop()
    if (heap.length === 1) return
    heap[1] = last
    lower(1)
  }

  return {
    add: (item, dueTs) => {
      order += 1
      raise(heap.push({ item, dueTs, order }) - 1)
    },
    takeDue: (now, max) => {
      const due: Item[] = []
      for (let first = heap[1]; first !== undefined && first.dueTs <= now; first = heap[1]) {
        if (due.length === max) break
        due.push(first.item)
        removeFirst()
      }
      return due
    },
  }
}
