import type { Venues } from '../../domain/dex/venue.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Address, Hex } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StoredToken } from '../../ports/store-batches.ts'
import type { PoolsQuery } from '../market.ts'
import {
  addressKey,
  addressKeyDigits,
  countInGroups,
  type EmptyGroup,
  type EmptyPools,
  type EmptySection,
  findGroups,
  groupNumberAt,
  numbersInGroups,
  poolsPerSection,
} from '../model/empty-pools.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { normalizeText, textEnd } from '../model/token-index.ts'
import { hexPrefixOf, isOfVenue } from './query-filters.ts'

/*
 * Empty pools in lists. They follow all other pools, oldest first, whatever the sort: the rows of a
 * page are read from the store, and only numbers and texts of searched sections stay in memory.
 */

/** The groups that the filters select; an empty pool has no activity and no dollars. */
const selectGroups = (model: ReadModel, query: PoolsQuery, venues: Venues): ReadonlySet<number> => {
  const { kind, version, venue, symbol, active, hot, comparable, minLiquidityUsd, minDepthUsd } =
    query
  const hasMinimum = minLiquidityUsd !== null || minDepthUsd !== null
  const isNone = active || hot || comparable || hasMinimum
  const hasTicker = (address: Address): boolean =>
    model.stocks.get(address)?.symbol.toUpperCase() === symbol
  const matches = (group: EmptyGroup): boolean =>
    !isNone &&
    (kind === null || group.kind === kind) &&
    (version === null || group.version === version) &&
    (venue === null || isOfVenue(group, venue, venues)) &&
    (symbol === null || group.stocks.some(hasTicker))
  return findGroups(model.empties, matches)
}

/** The searchable texts of a section's pools, one after the other. */
type SectionTexts = { readonly text: string; readonly ends: Uint32Array }

const readTexts = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  section: EmptySection,
  first: PoolNumber,
): Promise<SectionTexts> => {
  const span = { from: first, to: first + poolsPerSection - 1 }
  const rows = await snapshot.tokensOfPools(span)
  const stored = new Map<Address, StoredToken>(rows.map((token) => [token.address, token]))
  const pools = new Map((await snapshot.poolsBetween(span)).map((pool) => [pool.number, pool]))
  const ends = new Uint32Array(poolsPerSection)
  let text = ''
  for (const [slot, group] of section.groups.entries()) {
    const pool = group === 0 ? undefined : pools.get(first + slot)
    const { stocks = [] } = model.empties.groupOf(group) ?? {}
    for (const token of pool === undefined ? [] : [pool.key.token0, pool.key.token1]) {
      // A stock's texts are those of its group.
      if (!stocks.includes(token)) text += model.tokenText(token, stored.get(token))
    }
    ends[slot] = text.length
  }
  return { text, ends }
}

/** Slots whose text contains `q`. */
const findSlots = ({ text, ends }: SectionTexts, q: string): readonly number[] => {
  const found: number[] = []
  let slot = 0
  for (let at = text.indexOf(q); at !== -1; at = text.indexOf(q, ends[slot])) {
    while ((ends[slot] ?? text.length) <= at) slot += 1
    found.push(slot)
    if (ends[slot] === undefined) break
  }
  return found
}

const idBounds = (prefix: Hex) => ({
  from: prefix.padEnd(2 + Math.max(40, prefix.length - 2), '0') as Hex,
  to: prefix.padEnd(2 + 64, 'f') as Hex,
})

const evenHex = (hex: Hex, fill: string): Hex =>
  (hex.length % 2 === 0 ? hex : `${hex}${fill}`) as Hex

const findById = async (snapshot: StoreSnapshot, prefix: Hex): Promise<readonly PoolNumber[]> => {
  const { from, to } = idBounds(prefix)
  const pools = await snapshot.poolsById({ from: evenHex(from, '0'), to: evenHex(to, 'f') })
  return pools.map(({ number }) => number)
}

type Span = { readonly from: PoolNumber; readonly to: PoolNumber }

/** Neighbours are read at once. */
const toSpans = (ascending: readonly PoolNumber[]): readonly Span[] => {
  const spans: { from: PoolNumber; to: PoolNumber }[] = []
  for (const number of ascending) {
    const last = spans.at(-1)
    if (last !== undefined && number === last.to + 1) last.to = number
    else spans.push({ from: number, to: number })
  }
  return spans
}

const findByToken = async (
  snapshot: StoreSnapshot,
  { sections }: EmptyPools,
  prefix: Hex,
): Promise<readonly PoolNumber[]> => {
  const digits = prefix.slice(0, 2 + addressKeyDigits)
  const low = addressKey(digits.padEnd(2 + addressKeyDigits, '0') as Address)
  const high = addressKey(digits.padEnd(2 + addressKeyDigits, 'f') as Address)
  const found: PoolNumber[] = []
  for (const [at, section] of sections.entries()) {
    for (const [place, key] of section?.tokenKeys.entries() ?? []) {
      const number = at * poolsPerSection + (place >>> 1)
      if (key >= low && key <= high && found.at(-1) !== number) found.push(number)
    }
  }
  if (prefix.length <= 2 + addressKeyDigits) return found
  const exact: PoolNumber[] = []
  for (const span of toSpans(found)) {
    for (const { number, key } of await snapshot.poolsBetween(span)) {
      if ([key.token0, key.token1].some((token) => token.startsWith(prefix))) exact.push(number)
    }
  }
  return exact
}

export type EmptyPoolPage = { readonly pools: readonly ListedPool[]; readonly total: number }

export type EmptyPoolLister = {
  /** How many empty pools the query selects, without a read of the store; null if it needs one. */
  readonly count: (model: ReadModel, query: PoolsQuery) => number | null
  /** `offset` and `limit` of the query count empty pools only. */
  readonly page: (
    snapshot: StoreSnapshot,
    model: ReadModel,
    query: PoolsQuery,
  ) => Promise<EmptyPoolPage>
}

/** Lists the stored pools of these ascending numbers with their tokens. */
export const listByNumber = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  numbers: readonly PoolNumber[],
): Promise<readonly ListedPool[]> => {
  const listed: ListedPool[] = []
  for (const span of toSpans(numbers)) {
    const tokens = await snapshot.tokensOfPools(span)
    for (const pool of await snapshot.poolsBetween(span)) {
      const found = model.listStored(pool, tokens)
      if (found !== null) listed.push(found)
    }
  }
  return listed
}

export const createEmptyPoolLister = (venues: Venues): EmptyPoolLister => {
  const texts = new WeakMap<EmptySection, SectionTexts>()
  let latest: { empties: EmptyPools; q: string; numbers: readonly PoolNumber[] } | null = null

  const findByText = async (snapshot: StoreSnapshot, model: ReadModel, q: string) => {
    const text = normalizeText(q)
    const found = new Set<PoolNumber>()
    if (text.includes(textEnd)) return found
    const isNamed = ({ stocks }: EmptyGroup): boolean =>
      stocks.some((stock) => model.tokenText(stock, undefined).includes(text))
    const named = findGroups(model.empties, isNamed)
    const all = { offset: 0, limit: Number.POSITIVE_INFINITY }
    for (const number of numbersInGroups(model.empties, named, all)) found.add(number)
    for (const [at, section] of model.empties.sections.entries()) {
      if (section === undefined) continue
      const first = at * poolsPerSection
      const own = texts.get(section) ?? (await readTexts(snapshot, model, section, first))
      texts.set(section, own)
      for (const slot of findSlots(own, text)) found.add(first + slot)
    }
    return found
  }

  const search = async (snapshot: StoreSnapshot, model: ReadModel, q: string) => {
    const { empties } = model
    if (latest?.empties === empties && latest.q === q) return latest.numbers
    const found = await findByText(snapshot, model, q)
    const prefix = hexPrefixOf(q) as Hex | null
    if (prefix !== null) {
      for (const number of await findById(snapshot, prefix)) found.add(number)
      for (const number of await findByToken(snapshot, empties, prefix)) found.add(number)
    }
    const numbers = [...found].sort((a, b) => a - b)
    latest = { empties, q, numbers }
    return numbers
  }

  return {
    count: (model, query) => {
      const groups = selectGroups(model, query, venues)
      const count = countInGroups(model.empties, groups)
      return query.q === null || count === 0 ? count : null
    },
    page: async (snapshot, model, query) => {
      const { q, limit, offset } = query
      const { empties } = model
      const groups = selectGroups(model, query, venues)
      if (q === null) {
        const numbers = numbersInGroups(empties, groups, query)
        const total = countInGroups(empties, groups)
        return { pools: await listByNumber(snapshot, model, numbers), total }
      }
      const found = (await search(snapshot, model, q)).filter((number) =>
        groups.has(groupNumberAt(empties.sections, number)),
      )
      const numbers = found.slice(offset, offset + limit)
      return { pools: await listByNumber(snapshot, model, numbers), total: found.length }
    },
  }
}
