import { getHeapStatistics } from 'node:v8'

/**
 * Of old objects, nearly all that the index holds: enough to follow three million pools. At this
 * limit V8 lets a heap grow to 1.8 times what is alive before it collects, at 2 GB and more to four
 * times that (heap-controller.cc, `MaxGrowingFactor`).
 */
const heapMbMax = 1500

const bytesPerMb = 1024 * 1024

const ownMb = (): number => getHeapStatistics().heap_size_limit / bytesPerMb

/** The most that the index's heap may hold; null where V8 allows less, by the machine's memory. */
export const indexHeapMb = (mb = ownMb()): number | null => (mb > heapMbMax ? heapMbMax : null)
