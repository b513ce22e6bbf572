import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Page<Row> = {
  readonly items: readonly Row[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** By what names a pool or a stock. */
const areDistinct = (rows: readonly unknown[]): boolean => {
  const names = (rows as readonly { readonly id?: string; readonly address?: string }[]).map(
    ({ id, address }) => id ?? address,
  )
  return new Set(names).size === rows.length
}

/** A client that knows nothing but the base URL. */
export const createApi = (baseUrl: string) => {
  const ask = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const answer = await fetch(`${baseUrl}${path}`, init)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  const read = async <Body>(path: string): Promise<Body> => {
    const { status, text } = await ask(path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
    return JSON.parse(text) as Body
  }

  const readPages = async <Row>(path: string, limit: number): Promise<readonly Row[]> => {
    const rows: Row[] = []
    const join = path.includes('?') ? '&' : '?'
    for (;;) {
      const page = await read<Page<Row>>(`${path}${join}limit=${limit}&offset=${rows.length}`)
      rows.push(...page.items)
      if (page.items.length === 0 || rows.length >= page.total) return rows
    }
  }

  /** Reads all rows of a list; starts again if a row moved between pages and was read twice. */
  const readAll = <Row>(path: string, limit = 50): Promise<readonly Row[]> =>
    eventually(() => readPages<Row>(path, limit), areDistinct, { waitMs: 0 })

  return { baseUrl, ask, read, readAll }
}

export type Api = ReturnType<typeof createApi>

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** For what comes in seconds: only what never comes is to fail on a machine that is very busy. */
const patienceMs = 240_000

/** Reads until the result passes; reports the last one if it never does. */
export const eventually = async <T>(
  read: () => T | Promise<T>,
  passes: (value: T) => boolean,
  { waitMs = 200, msMax = patienceMs } = {},
): Promise<T> => {
  const deadline = Date.now() + msMax
  for (;;) {
    const value = await read()
    if (passes(value)) return value
    if (Date.now() > deadline) {
      throw new Error(`it never came: ${JSON.stringify(value)?.slice(0, 2000)}`)
    }
    await sleep(waitMs)
  }
}

/** In its session a Chainlink answer is fresh for an hour (docs/methodology.md §3). */
const feedSecondsMax = 3600

/** Whether the stock's own feed stands in while its issuer gives no good quote. */
export const isFed = ({ marketSession, oracleTs }: StockView, now: number): boolean =>
  marketSession !== 'closed' && oracleTs !== null && now - oracleTs <= feedSecondsMax

/** Whether rows of several replies speak of one block and one pass of the enrichment. */
const areOfOneMoment = (rows: readonly PoolView[]): boolean => {
  const enriched = rows.filter((row) => row.reserveSource === 'ticks').map((row) => row.enrichedTs)
  return new Set(rows.map((row) => row.asOfBlock)).size === 1 && new Set(enriched).size === 1
}

/** Offsets of so many pages, the first and the last ones among them, and of the one behind. */
export const someOffsets = (total: number, limit: number, count = 12): readonly number[] => {
  const pages = Math.ceil(total / limit)
  const step = Math.max(1, Math.ceil(pages / count))
  const some = Array.from({ length: Math.ceil(pages / step) }, (_, at) => at * step * limit)
  return [...new Set([...some, (pages - 1) * limit, pages * limit])]
}

/**
 * What is read between two readings of all pools that say the same, so that it is of the same
 * moment. The data moves four times a second: it may take a few tries.
 */
export const readBesideAllPools = async <T>(
  api: Api,
  read: () => Promise<T>,
): Promise<{ readonly all: readonly PoolView[]; readonly value: T }> => {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    const all = await api.readAll<PoolView>('/api/v1/pools')
    const value = await read()
    const after = await api.readAll<PoolView>('/api/v1/pools')
    // A quote changes rows between two blocks.
    const isSame = JSON.stringify(all) === JSON.stringify(after)
    if (isSame && areOfOneMoment(all)) return { all, value }
  }
  throw new Error(`the data was never the same for ${patienceMs / 1000} s`)
}
