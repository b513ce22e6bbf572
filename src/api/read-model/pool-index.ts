import type { Listing, PoolEntry } from './listing.ts'
import { headOf, searchable, textEnd } from './listing.ts'

/*
 * An index of what pools are searched by. A text that contains another one contains each pair of
 * its letters: only the pools with the rarest of these pairs are looked at.
 *
 *     q = "nvda"   pairs: nv vd da   the rarest here: vd -> 12 of 1,024 pools -> includes("nvda")
 */

/** Pools by number, as the read model holds them. */
type Entries = readonly (PoolEntry | undefined)[]

/**
 * Pools are indexed by so many at a time, and those anew of which a listing has changed: about two
 * milliseconds of work, when somebody searches.
 */
const sectionPools = 1024

/** A letter, a pair of letters, or the head of an id or address, as a number. */
type Gram = number

const letterAt = (text: string, at: number): Gram => text.charCodeAt(at)
/** Above all letters. */
const pairAt = (text: string, at: number): Gram =>
  (text.charCodeAt(at) + 1) * 65_536 + text.charCodeAt(at + 1)
/** Above all pairs. */
const headGram = (head: number): Gram => 2 ** 33 + head

type Section = {
  readonly listings: readonly (Listing | undefined)[]
  /** Where the places of a gram begin; they end where those of the next one do. */
  readonly slots: ReadonlyMap<Gram, number>
  readonly starts: Uint32Array
  /** Within the section. */
  readonly places: Uint16Array
}

const sectionOf = (listings: readonly (Listing | undefined)[]): Section => {
  const found = new Map<Gram, number[]>()
  let count = 0
  const add = (gram: Gram, place: number): void => {
    const places = found.get(gram)
    if (places?.at(-1) === place) return
    count += 1
    if (places === undefined) found.set(gram, [place])
    else places.push(place)
  }
  for (const [place, listing] of listings.entries()) {
    if (listing === undefined) continue
    const { text, heads } = listing
    for (let at = 0; at < text.length; at++) {
      add(letterAt(text, at), place)
      if (at + 1 < text.length) add(pairAt(text, at), place)
    }
    for (const head of heads) add(headGram(head), place)
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
  return { listings, slots, starts, places }
}

const noPlaces = new Uint16Array()

const placesOf = ({ slots, starts, places }: Section, gram: Gram): Uint16Array => {
  const slot = slots.get(gram)
  return slot === undefined ? noPlaces : places.subarray(starts[slot], starts[slot + 1])
}

const rarestOf = (section: Section, grams: readonly Gram[]): Uint16Array => {
  let rarest: Uint16Array | null = null
  for (const gram of grams) {
    const places = placesOf(section, gram)
    if (rarest === null || places.length < rarest.length) rarest = places
    if (rarest.length === 0) return rarest
  }
  return rarest ?? noPlaces
}

const pairsOf = (text: string): readonly Gram[] =>
  Array.from({ length: text.length - 1 }, (_, at) => pairAt(text, at))

/** What to look for, and how to know it from what only looks like it. */
type Clue = {
  readonly grams: readonly Gram[]
  readonly isIt: (entry: PoolEntry) => boolean
}

const textClue = (q: string): Clue | null => {
  const text = searchable(q)
  if (text === '' || text.includes(textEnd)) return null
  const isIt = ({ listing }: PoolEntry) => listing.text.includes(text)
  return { grams: text.length === 1 ? [letterAt(text, 0)] : pairsOf(text), isIt }
}

const hexClue = (prefix: string): Clue => ({
  grams: [headGram(headOf(prefix))],
  isIt: ({ pool: { id, key } }) =>
    [id, key.token0, key.token1].some((hex) => hex.startsWith(prefix)),
})

/** Flags by pool number: 1 where the pool is one of those that are looked for. */
export type PoolFlags = Uint8Array

export type PoolIndex = {
  /**
   * The pools of which a name contains `q`, or an id or address begins with `prefix`, which is not
   * shorter than a head. An empty `q` is in every name.
   */
  readonly find: (
    entries: Entries,
    wanted: { readonly q: string; readonly prefix: string | null },
  ) => PoolFlags
}

export const createPoolIndex = (): PoolIndex => {
  const sections: Section[] = []
  let followed: Entries = []

  const follow = (entries: Entries): void => {
    if (entries === followed) return
    followed = entries
    sections.length = Math.min(sections.length, Math.ceil(entries.length / sectionPools))
    for (let from = 0; from < entries.length; from += sectionPools) {
      const own = entries.slice(from, from + sectionPools)
      const number = from / sectionPools
      const before = sections[number]?.listings
      const isSame =
        before?.length === own.length && own.every((entry, at) => entry?.listing === before[at])
      if (!isSame) sections[number] = sectionOf(own.map((entry) => entry?.listing))
    }
  }

  const flag = (flags: PoolFlags, entries: Entries, { grams, isIt }: Clue): void => {
    for (const [number, section] of sections.entries()) {
      for (const place of rarestOf(section, grams)) {
        const at = number * sectionPools + place
        const entry = entries[at]
        if (entry !== undefined && isIt(entry)) flags[at] = 1
      }
    }
  }

  return {
    find: (entries, { q, prefix }) => {
      const flags = new Uint8Array(entries.length)
      if (searchable(q) === '') return flags.fill(1)
      follow(entries)
      for (const clue of [textClue(q), prefix === null ? null : hexClue(prefix)]) {
        if (clue !== null) flag(flags, entries, clue)
      }
      return flags
    },
  }
}
