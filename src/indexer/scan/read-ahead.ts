import { planReadAhead, type ScanWindow } from '../../domain/chain/read-ahead-plan.ts'
import type { BlockRange } from '../../ports/chain-reader.ts'

export type ReadAhead<Answer> = {
  /**
   * Returns the response for the first range of the window and requests the ranges after it. The
   * same window again repeats the request. `rangesAtOnce` lowers the number of requests.
   */
  readonly take: (
    window: ScanWindow,
    blocks: number,
    rangesAtOnce?: number,
  ) => Promise<{ readonly range: BlockRange; readonly answer: Answer } | null>
  /** Ignores the responses of all requests in flight. */
  readonly drop: () => void
}

/**
 * Requests ranges in parallel and returns them in order, so that the latency of the endpoint is
 * paid once. A dropped request cannot be cancelled and counts until it ends: never more than
 * `rangesMax` responses are in flight or in memory.
 */
export const createReadAhead = <Answer>(
  read: (range: BlockRange) => Promise<Answer>,
  rangesMax: number,
): ReadAhead<Answer> => {
  type Request = { readonly range: BlockRange; readonly answer: Promise<Answer> }
  let queue: readonly Request[] = []
  const inFlight = new Set<Request>()

  const send = (range: BlockRange): Request => {
    const request = { range, answer: read(range) }
    inFlight.add(request)
    const end = () => inFlight.delete(request)
    // The caller of `take` receives a rejection; those of dropped requests are ignored.
    request.answer.then(end, end)
    return request
  }

  return {
    take: async (window, blocks, rangesAtOnce = rangesMax) => {
      const ranges = queue.map(({ range }) => range)
      const plan = planReadAhead(ranges, window, { blocks, rangesMax: rangesAtOnce })
      const kept = queue.filter(({ range }) => plan.includes(range))
      const dropped = [...inFlight].filter((request) => !kept.includes(request)).length
      const room = Math.max(1, rangesMax - dropped)
      const planned = plan.slice(0, Math.max(kept.length, room))
      const [first, ...others] = planned.map((range, position) => kept[position] ?? send(range))
      queue = others
      return first === undefined ? null : { range: first.range, answer: await first.answer }
    },
    drop: () => {
      queue = []
    },
  }
}
