import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import { mapChunks, requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { headerCall, readHeader } from './header.ts'

/** Map of bounded size that evicts the least recently used entry. */
export type LruCache<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly size: () => number
}

export const createLruCache = <Key, Value>(entriesMax: number): LruCache<Key, Value> => {
  // A Map iterates in insertion order, so a used entry is inserted again at the end.
  const entries = new Map<Key, Value>()
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value !== undefined) {
        entries.delete(key)
        entries.set(key, value)
      }
      return value
    },
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break
        entries.delete(oldest)
      }
    },
    size: () => entries.size,
  }
}

/** Number and hash of a block, as its logs state them. */
export type LogBlock = { readonly block: BlockNumber; readonly hash: Hash }

/** Reads block times by hash from the headers, and caches them. */
export type BlockTimes = (
  blocks: readonly LogBlock[],
) => Promise<Outcome<ReadonlyMap<Hash, UnixSeconds>, RpcCallFault>>

/** About 150 bytes each, 3 MB in all; more blocks than one requested range. */
const cachedMax = 20_000
const headersPerBatchMax = 100
const batchesInFlightMax = 4
/** Fits a batch of headers with 1,500 transaction hashes each. */
const bytesMax = 16 * 1024 * 1024

export const createBlockTimes = (endpoints: EndpointPool): BlockTimes => {
  const cache = createLruCache<Hash, UnixSeconds>(cachedMax)

  const readBatch = async (
    blocks: readonly LogBlock[],
  ): Promise<Outcome<readonly Outcome<UnixSeconds, RpcCallFault>[], RpcCallFault>> => {
    const answers = await requestEach(endpoints, {
      items: blocks,
      callOf: ({ block }) => headerCall(block),
      read: (answer, { block, hash }) => {
        const header = readHeader(answer, block)
        if (!header.ok) return header
        if (header.value.hash === hash) return success(header.value.ts)
        return malformed(`hash of block ${block} differs from the one in its logs`)
      },
      block: Math.max(...blocks.map(({ block }) => block)),
      bytesMax,
    })
    if (!answers.ok) return answers
    // Cached even if another batch fails: a retry requests only the missing headers.
    for (const [i, answer] of answers.value.entries()) {
      const hash = blocks[i]?.hash
      if (answer.ok && hash !== undefined) cache.set(hash, answer.value)
    }
    return answers
  }

  return async (blocks) => {
    const times = new Map<Hash, UnixSeconds>()
    const missing: LogBlock[] = []
    for (const named of blocks) {
      const ts = cache.get(named.hash)
      if (ts === undefined) missing.push(named)
      else times.set(named.hash, ts)
    }
    const batches = { sizeMax: headersPerBatchMax, inFlightMax: batchesInFlightMax }
    const read = await mapChunks(missing, batches, readBatch)
    if (!read.ok) return read
    for (const [i, answer] of read.value.entries()) {
      if (!answer.ok) return answer
      const hash = missing[i]?.hash
      if (hash !== undefined) times.set(hash, answer.value)
    }
    return success(times)
  }
}
