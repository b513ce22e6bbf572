import type { PoolClassification } from '../../domain/pool/pool-kind.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Address } from '../../domain/units.ts'
import type { StoredPool } from '../../ports/store-batches.ts'

/*
 * Empty pools in columns by number: 16 bytes each instead of a record. Sections are immutable; the
 * next table shares every unchanged one.
 *
 *     section 0: pools 0..1023     groups  3 0 3 7 ..   0: not here
 *     section 1: pools 1024..2047  groups  0 0 3 3 ..   3: canonical, v3, NVDA
 */

/** About three milliseconds of work to read from the store. */
export const poolsPerSection = 1024

/** What lists filter empty pools by; pools with equal properties share a group. */
export type EmptyGroup = {
  readonly version: StoredPool['version']
  readonly protocol: StoredPool['protocol']
  readonly venue: Address
  readonly kind: PoolClassification['kind']
  /** One stock, or both of a stock-stock pool. */
  readonly stocks: readonly Address[]
}

export type EmptySection = {
  /** Group number per pool; 0 for a number without an empty pool. */
  readonly groups: Uint32Array
  /** First 32 bits of token0 and token1, alternating. */
  readonly tokenKeys: Uint32Array
  /** The update that last wrote the pool. */
  readonly updates: Uint32Array
}

/** The listed pools that hold nothing and have never traded. Immutable. */
export type EmptyPools = {
  readonly sections: readonly (EmptySection | undefined)[]
  /** Number of pools per group number. */
  readonly counts: ReadonlyMap<number, number>
  readonly groupOf: (group: number) => EmptyGroup | undefined
}

/** Digits of an address in its key. */
export const addressKeyDigits = 8

/** The first 32 bits of an address. */
export const addressKey = (address: Address): number =>
  Number.parseInt(address.slice(2, 2 + addressKeyDigits), 16)

/** The group of a pool; 0 if it is no empty pool. */
export const groupNumberAt = (sections: EmptyPools['sections'], number: PoolNumber): number =>
  sections[Math.floor(number / poolsPerSection)]?.groups[number % poolsPerSection] ?? 0

const createGroups = () => {
  const numbers = new Map<string, number>()
  const groups: (EmptyGroup | undefined)[] = [undefined]
  return {
    at: (group: number): EmptyGroup | undefined => groups[group],
    numberOf: (group: EmptyGroup): number => {
      const name = `${group.protocol} ${group.venue} ${group.kind} ${group.stocks.join(' ')}`
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, groups.length)
      return groups.push(group) - 1
    },
  }
}

const newSection = (): EmptySection => ({
  groups: new Uint32Array(poolsPerSection),
  tokenKeys: new Uint32Array(2 * poolsPerSection),
  updates: new Uint32Array(poolsPerSection),
})

const copySection = ({ groups, tokenKeys, updates }: EmptySection): EmptySection => ({
  groups: groups.slice(),
  tokenKeys: tokenKeys.slice(),
  updates: updates.slice(),
})

export type EmptyPoolsBuilder = {
  /** Adds or updates an empty pool. */
  readonly put: (pool: Pick<StoredPool, 'number' | 'key'>, group: EmptyGroup) => void
  readonly remove: (number: PoolNumber) => void
  /** Texts of tokens changed: what was computed from the sections of their pools is void. */
  readonly touchTokens: (tokens: readonly Address[]) => void
  readonly clear: () => void
  /** The table with all changes since the last call. */
  readonly finish: () => EmptyPools
}

export const createEmptyPools = (): EmptyPoolsBuilder => {
  const groups = createGroups()
  let sections: (EmptySection | undefined)[] = []
  let counts = new Map<number, number>()
  let copied = new Set<number>()
  let update = 1
  let table: EmptyPools | null = null

  const edit = (at: number): EmptySection => {
    table = null
    const section = sections[at]
    if (section !== undefined && copied.has(at)) return section
    const copy = section === undefined ? newSection() : copySection(section)
    while (sections.length < at) sections.push(undefined)
    sections[at] = copy
    copied.add(at)
    return copy
  }

  const count = (group: number, difference: number): void => {
    if (group !== 0) counts.set(group, (counts.get(group) ?? 0) + difference)
  }

  const set = (number: PoolNumber, group: number): EmptySection => {
    const section = edit(Math.floor(number / poolsPerSection))
    const slot = number % poolsPerSection
    count(section.groups[slot] ?? 0, -1)
    count(group, 1)
    section.groups[slot] = group
    section.updates[slot] = update
    return section
  }

  return {
    put: ({ number, key }, group) => {
      const { tokenKeys } = set(number, groups.numberOf(group))
      const slot = number % poolsPerSection
      tokenKeys[2 * slot] = addressKey(key.token0)
      tokenKeys[2 * slot + 1] = addressKey(key.token1)
    },
    remove: (number) => {
      if (groupNumberAt(sections, number) !== 0) set(number, 0)
    },
    touchTokens: (tokens) => {
      const keys = new Set(tokens.map(addressKey))
      if (keys.size === 0) return
      for (const [at, section] of sections.entries()) {
        if (section?.tokenKeys.some((key) => keys.has(key))) edit(at)
      }
    },
    clear: () => {
      sections = []
      counts = new Map()
      copied = new Set()
      table = null
    },
    finish: () => {
      table ??= { sections: sections.slice(), counts: new Map(counts), groupOf: groups.at }
      copied = new Set()
      update += 1
      return table
    },
  }
}

/** The numbers of groups that match. */
export const findGroups = (
  { counts, groupOf }: EmptyPools,
  matches: (group: EmptyGroup) => boolean,
): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [number, count] of counts) {
    const group = groupOf(number)
    if (count > 0 && group !== undefined && matches(group)) found.add(number)
  }
  return found
}

/** How many pools the groups have together. */
export const countInGroups = ({ counts }: EmptyPools, groups: ReadonlySet<number>): number => {
  let sum = 0
  for (const group of groups) sum += counts.get(group) ?? 0
  return sum
}

/** The pools of the groups by number: at most `limit` after the first `offset`. */
export const numbersInGroups = (
  { sections }: EmptyPools,
  groups: ReadonlySet<number>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly PoolNumber[] => {
  const found: PoolNumber[] = []
  let skipped = 0
  for (const [at, section] of sections.entries()) {
    if (section === undefined) continue
    for (const [slot, group] of section.groups.entries()) {
      if (group === 0 || !groups.has(group)) continue
      if (found.length >= limit) return found
      if (skipped < offset) skipped += 1
      else found.push(at * poolsPerSection + slot)
    }
  }
  return found
}

/** The pools that are new or changed in `after`. */
export const changedEmptyPools = (before: EmptyPools, after: EmptyPools): readonly PoolNumber[] => {
  const numbers: PoolNumber[] = []
  for (const [at, section] of after.sections.entries()) {
    const old = before.sections[at]
    if (section === undefined || section === old) continue
    for (const [slot, update] of section.updates.entries()) {
      const isChanged = update !== (old?.updates[slot] ?? 0)
      if (isChanged && section.groups[slot] !== 0) numbers.push(at * poolsPerSection + slot)
    }
  }
  return numbers
}

type StockCount = { readonly kind: EmptyGroup['kind']; readonly count: number }

const countsByStock = new WeakMap<EmptyPools, Map<Address, StockCount[]>>()

const groupByStock = ({ counts, groupOf }: EmptyPools): Map<Address, StockCount[]> => {
  const byStock = new Map<Address, StockCount[]>()
  for (const [number, count] of counts) {
    const { kind, stocks } = groupOf(number) ?? { kind: 'meme', stocks: [] }
    for (const stock of stocks) {
      const own = byStock.get(stock) ?? []
      byStock.set(stock, own)
      own.push({ kind, count })
    }
  }
  return byStock
}

/** Counts of the empty pools that hold a stock, by kind; computed once per table. */
export const emptyCountsOf = (empties: EmptyPools, stock: Address): readonly StockCount[] => {
  const byStock = countsByStock.get(empties) ?? groupByStock(empties)
  countsByStock.set(empties, byStock)
  return byStock.get(stock) ?? []
}
