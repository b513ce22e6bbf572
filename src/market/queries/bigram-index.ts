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
 * An index of what pools are searched by. A text that contains another one contains each pair of
 * its letters: only the pools with the rarest of these pairs are looked at.
 *
 *     q = "nvda"   pairs: nv vd da   the rarest here: vd -> 12 of 1,024 pools -> includes("nvda")
 */

type Entries = PoolTable<ListedPool>

/**
 * Pools are indexed by so many at a time, and those anew of which a listing has changed: about two
 * milliseconds of work, when somebody searches.
 */
const sectionPieces = 4
const sectionPools = sectionPieces * poolsPerChunk

/** A letter, a pair of letters, or the head of an id or address, as a number. */
type Gram = number

const letterAt = (text: string, at: number): Gram => text.charCodeAt(at)
/** Above all letters. */
const pairAt = (text: string, at: number): Gram =>
  (text.charCodeAt(at) + 1) * 65_536 + text.charCodeAt(at + 1)
/** Above all pairs. */
const headGram = (head: number): Gram => 2 ** 33 + head

type Section = {
  readonly pieces: readonly Chunk<ListedPool>[]
  /** Where the places of a gram begin; they end where those of the next one do. */
  readonly slots: ReadonlyMap<Gram, number>
  readonly starts: Uint32Array
  /** Within the section. */
  readonly places: Uint16Array
}

const sectionOf = (pieces: Section['pieces']): Section => {
  const found = new Map<Gram, number[]>()
  let count = 0
  const add = (gram: Gram, place: number): void => {
    const places = found.get(gram)
    if (places?.at(-1) === place) return
    count += 1
    if (places === undefined) found.set(gram, [place])
    else places.push(place)
  }
  const addText = (text: string, place: number): void => {
    for (let at = 0; at < text.length; at++) {
      add(letterAt(text, at), place)
      if (at + 1 < text.length) add(pairAt(text, at), place)
    }
  }
  const addPool = ({ id, token0, token1 }: ListedPool, place: number): void => {
    for (const { text } of [token0, token1]) addText(text, place)
    for (const hex of [id, token0.address, token1.address]) add(headGram(hexPrefixKey(hex)), place)
  }
  for (const [at, piece] of pieces.entries()) {
    for (const [place, pool] of piece.entries()) {
      if (pool !== undefined) addPool(pool, at * poolsPerChunk + place)
    }
  }
  const slots = new Map<Gram, number>()
  const starts = new Uint32Array(found.size + 1)
  const places = new Uint16Array(count)
  let end = 0
  for (const [gram, own] of found) {
    places.set(own, end)
    end += own.length
    slots.set(gram, slots.size)
    starts[slots.size] = end
  }
  return { pieces, slots, starts, places }
}

const noPlaces = new Uint16Array()

/** The places of the rarest of these grams; none if one of them is nowhere. */
const rarestOf = ({ slots, starts, places }: Section, grams: readonly Gram[]): Uint16Array => {
  let [start, end] = [0, Number.POSITIVE_INFINITY]
  for (const gram of grams) {
    const slot = slots.get(gram)
    if (slot === undefined) return noPlaces
    const [from, to] = [starts[slot] ?? 0, starts[slot + 1] ?? 0]
    if (to - from < end - start) [start, end] = [from, to]
  }
  return places.subarray(start, end)
}

const pairsOf = (text: string): readonly Gram[] =>
  Array.from({ length: text.length - 1 }, (_, at) => pairAt(text, at))

/** What to look for, and how to know it from what only looks like it. */
type Clue = {
  readonly grams: readonly Gram[]
  readonly isIt: (pool: ListedPool) => boolean
}

const textClue = (q: string): Clue => {
  const text = normalizeText(q)
  const grams = text.length === 1 ? [letterAt(text, 0)] : pairsOf(text)
  return { grams, isIt: nameContains(q) }
}

const hexClue = (prefix: string): Clue => ({
  grams: [headGram(hexPrefixKey(prefix))],
  isIt: idStartsWith(prefix),
})

const isNamedAlike = (a: ListedPool | undefined, b: ListedPool | undefined): boolean =>
  a?.id === b?.id && a?.token0 === b?.token0 && a?.token1 === b?.token1

const areNamedAlike = (before: Section['pieces'], after: Section['pieces']): boolean =>
  before.length === after.length &&
  changedNumbers(before, after).every((at) =>
    isNamedAlike(getByNumber(before, at), getByNumber(after, at)),
  )

export type PoolIndex = {
  /** The pools that a search for this text means, each once. Its first call indexes every name. */
  readonly find: (pools: Entries, q: string) => SlicedWork<Iterable<PoolNumber>>
}

export const createPoolIndex = (): PoolIndex => {
  const sections: Section[] = []

  const hasPieces = (section: Section | undefined, pools: Entries, from: number): boolean => {
    const pieces = section?.pieces ?? []
    const isSameLength = pieces.length === Math.min(sectionPieces, pools.length - from)
    return isSameLength && pieces.every((piece, at) => piece === pools[from + at])
  }

  /** Section by section: each that was indexed anew is a step. */
  const follow = function* (pools: Entries): SlicedWork<void> {
    sections.length = Math.min(sections.length, Math.ceil(pools.length / sectionPieces))
    for (let from = 0; from < pools.length; from += sectionPieces) {
      const at = from / sectionPieces
      const before = sections[at]
      if (hasPieces(before, pools, from)) continue
      const pieces = pools.slice(from, from + sectionPieces)
      const isSame = before !== undefined && areNamedAlike(before.pieces, pieces)
      sections[at] = isSame ? { ...before, pieces } : sectionOf(pieces)
      if (!isSame) yield
    }
  }

  const findBy = (pools: Entries, { grams, isIt }: Clue): PoolNumber[] => {
    const found: PoolNumber[] = []
    for (const [at, section] of sections.entries()) {
      for (const place of rarestOf(section, grams)) {
        const number = at * sectionPools + place
        const pool = getByNumber(pools, number)
        if (pool !== undefined && isIt(pool)) found.push(number)
      }
    }
    return found
  }

  return {
    find: function* (pools, q) {
      if (normalizeText(q) === '') return Array.from(iterateValues(pools), ({ number }) => number)
      yield* follow(pools)
      // Between two slices another search may have followed other pools.
      for (const _step of follow(pools));
      const named = findBy(pools, textClue(q))
      const prefix = hexPrefixOf(q)
      return prefix === null ? named : new Set([...named, ...findBy(pools, hexClue(prefix))])
    },
  }
}
