import type { Api } from '../../test/service/api.ts'
import { filledPoolId } from '../live/fill-market.ts'
import { blocksPerSecond, busyPool, rareUsd, spanBlocks, spanSeconds } from './past-swaps.ts'

/** One sort of request, as several requests of different pages. */
export type PastKind = {
  readonly what: string
  readonly paths: readonly string[]
  /** Milliseconds; null where a page is larger than the usual one. */
  readonly goalMs: number | null
}

type List = { readonly name: string; readonly path: string }

type Order = 'desc' | 'asc'

const usualRows = 100
const largeRows = 1000
const goalMs = 20
const windowSeconds = 7200

const busiest = filledPoolId(busyPool(0))
/** Places in the span, as parts of it. */
const partsOf = (count: number, from: number, to: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => from + ((to - from) * at) / count)

const middleOf = (count: number) => partsOf(count, 0.45, 0.55)
const farBackOf = (count: number) => partsOf(count, 0.02, 0.04)

const withQuery = (path: string, query: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`

type Pages = { readonly order: Order; readonly limit: number; readonly parts: readonly number[] }

/** Pages that begin at these parts of the span, by the cursors of the pages before. */
const pagesAt = async (
  api: Pick<Api, 'read'>,
  path: string,
  { order, limit, parts, fromTs }: Pages & { readonly fromTs: number },
): Promise<readonly string[]> => {
  const paths: string[] = []
  for (const part of parts) {
    const ts = fromTs + Math.floor(spanSeconds * part)
    const bound = order === 'desc' ? 'to' : 'from'
    const before = withQuery(path, `order=${order}&limit=1&${bound}=${ts}`)
    const { next } = await api.read<{ readonly next: string | null }>(before)
    // A small store may have no page behind.
    const place = next === null ? `${bound}=${ts}` : `cursor=${encodeURIComponent(next)}`
    paths.push(withQuery(path, `order=${order}&limit=${limit}&${place}`))
  }
  return paths
}

type Reads = {
  readonly api: Pick<Api, 'read'>
  readonly fromTs: number
  /** Pages of each kind. */
  readonly pages: number
}

/** First and deep pages of a list. */
const kindsOf = async (
  { name, path }: List,
  { api, fromTs, pages }: Reads,
): Promise<readonly PastKind[]> => {
  const middle = middleOf(pages)
  const at = (given: Pages) => pagesAt(api, path, { ...given, fromTs })
  const usual = { goalMs }
  const first = (query: string) =>
    // No limit twice: a page that was answered a moment ago is not read again.
    Array.from({ length: pages }, (_, at) => withQuery(path, `limit=${usualRows - at}&${query}`))
  const limit = usualRows
  return [
    { what: `${name}: first page`, paths: first('order=desc'), ...usual },
    { what: `${name}: first page, oldest first`, paths: first('order=asc'), ...usual },
    {
      what: `${name}: in the middle`,
      paths: await at({ order: 'desc', limit, parts: middle }),
      ...usual,
    },
    {
      what: `${name}: near the end`,
      paths: await at({ order: 'desc', limit, parts: farBackOf(pages) }),
      ...usual,
    },
    {
      what: `${name}: in the middle, oldest first`,
      paths: await at({ order: 'asc', limit, parts: middle }),
      ...usual,
    },
    {
      what: `${name}: in the middle, 1,000 rows`,
      paths: await at({ order: 'desc', limit: largeRows, parts: middle }),
      goalMs: null,
    },
  ]
}

/** Pages of swaps between two times, and of rare ones. */
const boundedKinds = ({ name, path }: List, { fromTs, pages }: Reads): readonly PastKind[] => {
  const paths = (query: string) =>
    middleOf(pages).map((part) => {
      const ts = fromTs + Math.floor(spanSeconds * part)
      return withQuery(
        path,
        `limit=${usualRows}&to=${ts}${query.replace('{from}', `${ts - windowSeconds}`)}`,
      )
    })
  return [
    { what: `${name}: from and to`, paths: paths('&from={from}'), goalMs },
    { what: `${name}: rare swaps`, paths: paths(`&minUsd=${rareUsd}`), goalMs },
  ]
}

const asOfKinds = ({ fromTs, pages }: Reads): readonly PastKind[] => {
  const path = `/api/v1/pools/${busiest}`
  const blocks = middleOf(pages).map((part) => Math.floor(spanBlocks * (part + 0.15)))
  const times = blocks.map((block) => fromTs + Math.floor(block / blocksPerSecond))
  return [
    {
      what: 'pool as of a block',
      paths: blocks.map((block) => withQuery(path, `asOfBlock=${block}`)),
      goalMs,
    },
    {
      what: 'pool as of a time',
      paths: times.map((ts) => withQuery(path, `asOfTs=${ts}`)),
      goalMs,
    },
  ]
}

/** Every sort of request for past rows, on a store of `past-swaps.ts`. */
export const listPastKinds = async (reads: Reads): Promise<readonly PastKind[]> => {
  const stocks = '/api/v1/stocks'
  const swaps = [
    { name: 'swaps of a pool', path: `/api/v1/pools/${busiest}/swaps` },
    { name: 'of a busy stock', path: `${stocks}/STK20/swaps` },
    { name: 'of a quiet stock', path: `${stocks}/STK01/swaps` },
    { name: 'of all', path: '/api/v1/swaps' },
  ]
  const changes = { name: 'liquidity', path: `/api/v1/pools/${busiest}/liquidity` }
  const candles = [
    { name: 'minutes', path: `/api/v1/pools/${busiest}/candles?width=1m` },
    {
      name: 'minutes, filled',
      path: `/api/v1/pools/${busiest}/candles?width=1m&fill=previous`,
    },
    { name: 'hours', path: `/api/v1/pools/${busiest}/candles?width=1h` },
    { name: 'minutes of a stock', path: `${stocks}/STK20/candles?width=1m` },
  ]
  const kinds: PastKind[] = []
  for (const list of swaps)
    kinds.push(...(await kindsOf(list, reads)), ...boundedKinds(list, reads))
  for (const list of [changes, ...candles]) kinds.push(...(await kindsOf(list, reads)))
  return [...kinds, ...asOfKinds(reads)]
}
