import { expect, test } from 'vitest'
import { flattenPages, prefetchNext, readPages } from './snapshot.ts'

/** Numbers from 1 on, and each request for them. */
const createNumbers = (count: number) => {
  const asked: (number | null)[] = []
  const read = async (last: number | undefined, rowsMax: number): Promise<readonly number[]> => {
    asked.push(last ?? null)
    const from = last ?? 0
    return Array.from({ length: Math.min(rowsMax, count - from) }, (_, at) => from + at + 1)
  }
  return { asked, read }
}

const allOf = async <T>(stream: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

// rows, three to a page -> pages
test.each([
  [0, [[]]],
  [2, [[1, 2]]],
  [3, [[1, 2, 3], []]],
  [4, [[1, 2, 3], [4]]],
])('%i rows come in pages, and one by one', async (count, pages) => {
  const { read } = createNumbers(count)
  expect(await allOf(readPages(3, read))).toEqual(pages)
  expect(await allOf(prefetchNext(readPages(3, read)))).toEqual(pages)
  expect(await allOf(flattenPages(readPages(3, read)))).toEqual(pages.flat())
})

test('requests only the next page while the caller handles the current one', async () => {
  const [plain, ahead] = [createNumbers(9), createNumbers(9)]
  for await (const [first = 0] of readPages(3, plain.read)) {
    expect(plain.asked.at(-1)).toBe(first === 1 ? null : first - 1)
    if (first === 7) break
  }
  for await (const [first = 0] of prefetchNext(readPages(3, ahead.read))) {
    expect(ahead.asked.at(-1)).toBe(first + 2)
    if (first === 4) break
  }
})

// The second page fails while the caller handles the first.
test('a failed page rejects only the call that requests it', async () => {
  const failing = () =>
    prefetchNext(
      readPages(1, async (last) => {
        if (last === undefined) return [1]
        throw new Error('gone')
      }),
    )
  for await (const page of failing()) {
    expect(page).toEqual([1])
    await new Promise(setImmediate)
    break
  }
  await expect(allOf(failing())).rejects.toThrow('gone')
})
