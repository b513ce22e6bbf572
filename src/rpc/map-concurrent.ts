import { type Outcome, success } from '../domain/outcome.ts'
import { chunk } from '../util/chunk.ts'

/**
 * Does the work for all items, a few at a time; the results stand in the items' order. After the
 * first failure nothing more is begun, and it is the result.
 */
export const mapConcurrent = async <T, Result, Fault>(
  items: readonly T[],
  inFlightMax: number,
  work: (item: T) => Promise<Outcome<Result, Fault>>,
): Promise<Outcome<readonly Result[], Fault>> => {
  const results = new Array<Result>(items.length)
  const queue = items.entries()
  let failed: { readonly ok: false; readonly fault: Fault } | null = null
  const worker = async (): Promise<void> => {
    // The workers share one iterator: each item is taken once.
    for (const [index, item] of queue) {
      const outcome = await work(item)
      if (outcome.ok) results[index] = outcome.value
      else failed ??= outcome
      if (failed !== null) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlightMax, items.length) }, worker))
  return failed ?? success(results)
}

type Chunking = { readonly sizeMax: number; readonly inFlightMax: number }

/** The same for work on chunks of the items that has one result for each of them. */
export const mapChunks = async <T, Result, Fault>(
  items: readonly T[],
  { sizeMax, inFlightMax }: Chunking,
  work: (some: readonly T[]) => Promise<Outcome<readonly Result[], Fault>>,
): Promise<Outcome<readonly Result[], Fault>> => {
  const results = await mapConcurrent(chunk(items, sizeMax), inFlightMax, work)
  return results.ok ? success(results.value.flat()) : results
}
