import type { SlicedWork } from '../../util/time-slice.ts'
import type { Compare } from './ranking.ts'

/** About a millisecond of work. */
const stepsPerSlice = 32_768

/** The places from 0 to before `count` in a total order. Yields now and then. */
export const sortPlaces = function* (
  count: number,
  compare: Compare<number>,
): SlicedWork<Uint32Array> {
  let from = new Uint32Array(count).map((_, at) => at)
  let to = new Uint32Array(count)
  let steps = 0
  // What is sorted in pieces of this width is so in pieces of twice the width afterwards.
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      const end = Math.min(middle + width, count)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const isLeft =
          right === end ||
          (left < middle && compare(from[left] as number, from[right] as number) < 0)
        to[at] = (isLeft ? from[left++] : from[right++]) as number
        steps += 1
        if (steps % stepsPerSlice === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
