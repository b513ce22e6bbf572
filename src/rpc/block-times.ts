import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash, UnixSeconds } from '../domain/units.ts'
import { mapChunks, requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { headerCall, readHeader } from './header.ts'

/** A map of bounded size that forgets what was not used for longest. */
export type LruCache<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly size: () => number
}

export const createLruCache = <Key, Value>(entriesMax: number): LruCache<Key, Value> => {
  // A Map keeps the order of insertion: what is used is put in anew, at the end.
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

/** A block that logs came from: its number, and the hash that they name. */
export type NamedBlock = { readonly block: BlockNumber; readonly hash: Hash }

/** Times of blocks by their hash, from the headers; known ones are not asked again. */
export type BlockTimes = (
  blocks: readonly NamedBlock[],
) => Promise<Outcome<ReadonlyMap<Hash, UnixSeconds>, RpcCallFault>>

/** A time costs about 150 bytes: 3 MB, and more blocks than a range that we ask for. */
const recentMax = 20_000
const headersPerBatchMax = 100
const batchesInFlightMax = 4
/** Of a batch: the headers of blocks with 1,500 transactions each. */
const bytesMax = 16 * 1024 * 1024

export const createBlockTimes = (endpoints: EndpointPool): BlockTimes => {
  const recent = createLruCache<Hash, UnixSeconds>(recentMax)

  /** What was read is kept though another batch may fail: a second try asks for the rest alone. */
  const keep = (
    named: NamedBlock | undefined,
    answer: Outcome<UnixSeconds, RpcCallFault>,
  ): void => {
    if (answer.ok && named !== undefined) recent.set(named.hash, answer.value)
  }

  const readBatch = async (
    blocks: readonly NamedBlock[],
  ): Promise<Outcome<readonly Outcome<UnixSeconds, RpcCallFault>[], RpcCallFault>> => {
    const answers = await requestEach(endpoints, {
      items: blocks,
      callOf: ({ block }) => headerCall(block),
      read: (answer, { block, hash }) => {
        const header = readHeader(answer, block)
        if (!header.ok) return header
        if (header.value.hash === hash) return success(header.value.ts)
        const detail = `block ${block} has another hash than its logs name`
        return malformed(detail)
      },
      block: Math.max(...blocks.map(({ block }) => block)),
      bytesMax,
    })
    if (answers.ok) for (const [i, answer] of answers.value.entries()) keep(blocks[i], answer)
    return answers
  }

  return async (blocks) => {
    const times = new Map<Hash, UnixSeconds>()
    const missing: NamedBlock[] = []
    for (const named of blocks) {
      const ts = recent.get(named.hash)
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
