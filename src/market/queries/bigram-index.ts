import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { SlicedWork } from '../../util/time-slice.ts'
import {
  type Chunk,
  changedNumbers,
  getByNumber,
  iterateValues,
  type PoolTable,
  poolsPerChunk,
} from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import { normalizeText } from '../model/token-index.ts'
import { hexPrefixKey, hexPrefixOf, idStartsWith, nameContains } from './query-filters.ts'

/*
 * A bigram index of the texts of pools. A pool that contains a search text contains each of its
 * bigrams: `find` tests only the pools of the rarest one.
 *
 *     q = "nvda"   bigrams: nv vd da   rarest: vd -> 12 of 1,024 pools -> includes("nvda")
 */

type Pools = PoolTable<ListedPool>

/** Pools are indexed in sections, about two milliseconds of work, when a search requires it. */
const chunksPerSection = 4
const poolsPerSection = chunksPerSection * poolsPerChunk

/** A letter, a bigram, or a prefix key of an id or address, as a number. */
type Gram = number

const letterAt = (text: string, at: number): Gram => text.charCodeAt(at)
/** Above all letters. */
const bigramAt = (text: string, at: number): Gram =>
  (text.charCodeAt(at) + 1) * 65_536 + text.charCodeAt(at + 1)
/** Above all bigrams. */
const prefixGram = (hex: string): Gram => 2 ** 33 + hexPrefixKey(hex)

/** Postings per gram: slot `s` has the offsets from `starts[s]` to before `starts[s + 1]`. */
type Section = {
  readonly chunks: readonly Chunk<ListedPool>[]
  readonly slots: ReadonlyMap<Gram, number>
  readonly starts: Uint32Array
  /** Pool numbers relative to the section's first. */
  readonly offsets: Uint16Array
}

const indexSection = (chunks: Section['chunks']): Section => {
  const postings = new Map<Gram, number[]>()
  let count = 0
  const add = (gram: Gram, offset: number): void => {
    const offsets = postings.get(gram)
    if (offsets?.at(-1) === offset) return
    count += 1
    if (offsets === undefined) postings.set(gram, [offset])
    else offsets.push(offset)
  }
  const addText = (text: string, offset: number): void => {
    for (let at = 0; at < text.length; at++) {
      add(letterAt(text, at), offset)
      if (at + 1 < text.length) add(bigramAt(text, at), offset)
    }
  }
  const addPool = ({ id, token0, token1 }: ListedPool, offset: number): void => {
    for (const { text } of [token0, token1]) addText(text, offset)
    for (const hex of [id, token0.address, token1.address]) add(prefixGram(hex), offset)
  }
  for (const [index, chunk] of chunks.entries()) {
    for (const [slot, pool] of chunk.entries()) {
      if (pool !== undefined) addPool(pool, index * poolsPerChunk + slot)
    }
  }
  const slots = new Map<Gram, number>()
  const starts = new Uint32Array(postings.size + 1)
  const offsets = new Uint16Array(count)
  let end = 0
  for (const [gram, ofGram] of postings) {
    offsets.set(ofGram, end)
    end += ofGram.length
    slots.set(gram, slots.size)
    starts[slots.size] = end
  }
  return { chunks, slots, starts, offsets }
}

const noOffsets = new Uint16Array()

/** The postings of the rarest gram; none if the section lacks one of the grams. */
const findRarest = ({ slots, starts, offsets }: Section, grams: readonly Gram[]): Uint16Array => {
  let [start, end] = [0, Number.POSITIVE_INFINITY]
  for (const gram of grams) {
    const slot = slots.get(gram)
    if (slot === undefined) return noOffsets
    const [from, to] = [starts[slot] ?? 0, starts[slot + 1] ?? 0]
    if (to - from < end - start) [start, end] = [from, to]
  }
  return offsets.subarray(start, end)
}

/** The grams that every match contains, and the exact test. */
type Search = {
  readonly grams: readonly Gram[]
  readonly matches: (pool: ListedPool) => boolean
}

const searchText = (q: string): Search => {
  const text = normalizeText(q)
  const bigrams = Array.from({ length: text.length - 1 }, (_, at) => bigramAt(text, at))
  return { grams: text.length === 1 ? [letterAt(text, 0)] : bigrams, matches: nameContains(q) }
}

const isSameText = (a: ListedPool | undefined, b: ListedPool | undefined): boolean =>
  a?.id === b?.id && a?.token0 === b?.token0 && a?.token1 === b?.token1

const hasSameTexts = (before: Section['chunks'], after: Section['chunks']): boolean =>
  before.length === after.length &&
  changedNumbers(before, after).every((at) =>
    isSameText(getByNumber(before, at), getByNumber(after, at)),
  )

export type PoolIndex = {
  /** Numbers of the pools that match a search text, each once. The first call indexes all pools. */
  readonly find: (pools: Pools, q: string) => SlicedWork<Iterable<PoolNumber>>
}

export const createPoolIndex = (): PoolIndex => {
  const sections: Section[] = []

  const isCurrent = (section: Section | undefined, pools: Pools, from: number): boolean => {
    const chunks = section?.chunks ?? []
    const isSameLength = chunks.length === Math.min(chunksPerSection, pools.length - from)
    return isSameLength && chunks.every((chunk, at) => chunk === pools[from + at])
  }

  /** Indexes the changed sections, one per step. */
  const update = function* (pools: Pools): SlicedWork<void> {
    sections.length = Math.min(sections.length, Math.ceil(pools.length / chunksPerSection))
    for (let from = 0; from < pools.length; from += chunksPerSection) {
      const at = from / chunksPerSection
      const before = sections[at]
      if (isCurrent(before, pools, from)) continue
      const chunks = pools.slice(from, from + chunksPerSection)
      const isSame = before !== undefined && hasSameTexts(before.chunks, chunks)
      sections[at] = isSame ? { ...before, chunks } : indexSection(chunks)
      if (!isSame) yield
    }
  }

  const findMatches = (pools: Pools, { grams, matches }: Search): PoolNumber[] => {
    const found: PoolNumber[] = []
    for (const [at, section] of sections.entries()) {
      for (const offset of findRarest(section, grams)) {
        const number = at * poolsPerSection + offset
        const pool = getByNumber(pools, number)
        if (pool !== undefined && matches(pool)) found.push(number)
      }
    }
    return found
  }

  return {
    find: function* (pools, q) {
      if (normalizeText(q) === '') return Array.from(iterateValues(pools), ({ number }) => number)
      yield* update(pools)
      // Between two slices another search may have updated the index to other pools.
      for (const _step of update(pools));
      const named = findMatches(pools, searchText(q))
      const prefix = hexPrefixOf(q)
      if (prefix === null) return named
      const byId = { grams: [prefixGram(prefix)], matches: idStartsWith(prefix) }
      return new Set([...named, ...findMatches(pools, byId)])
    },
  }
}
